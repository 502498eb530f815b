using System.Text.RegularExpressions;
using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>Which scripts and style sheets need which, as uses of types: a folder is a namespace, a file a type.</summary>
internal static partial class ScriptUses
{
    /// <summary>The name of the folder whose files were asked for.</summary>
    public const string Root = "root";

    /// <summary>The imports of files below a folder that lead to other files.</summary>
    public static IReadOnlyList<TypeUse> Below(string folder)
    {
        string root = Repository.PathOf(folder);
        return [.. Repository.ScriptFiles(folder).SelectMany(path => Of(Path.GetRelativePath(root, path), File.ReadAllText(path)))];
    }

    /// <summary>Those of one file.</summary>
    /// <param name="path">Its path below the folder.</param>
    /// <param name="text">What is in it.</param>
    public static IEnumerable<TypeUse> Of(string path, string text)
    {
        foreach (Match import in Import().Matches(text))
        {
            string to = Path.GetRelativePath("/", Path.GetFullPath(Path.Join("/", Path.GetDirectoryName(path), import.Groups["path"].Value)));
            yield return new TypeUse(Name(path), Name(Path.GetDirectoryName(path)!), Name(to), Name(Path.GetDirectoryName(to)!), null, "");
        }
    }

    private static string Name(string path) => path.Length == 0 ? Root : $"{Root}.{path.Replace('.', '-').Replace(Path.DirectorySeparatorChar, '.')}";

    // import ... from './a'; import './a'; import('./a'); @import "./a.css";
    [GeneratedRegex("""(?:\bfrom|\bimport|@import)\s*\(?\s*["'](?<path>\.{1,2}/[^"']*)["']""")]
    private static partial Regex Import();
}
