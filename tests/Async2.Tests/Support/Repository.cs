namespace Async2.Tests.Support;

/// <summary>Where this checkout is: found from the test program upwards, so that no path stands in any file.</summary>
internal static class Repository
{
    public static string Root { get; } = FindRoot(AppContext.BaseDirectory);

    public static string PathOf(params string[] parts) => Path.Join([Root, .. parts]);

    /// <summary>All C# files below a folder that people wrote.</summary>
    public static IEnumerable<string> CSharpFiles(string folder) => Written(folder, ".cs");

    /// <summary>All scripts and style sheets below a folder that people wrote; not the viewer's bundle.</summary>
    public static IEnumerable<string> ScriptFiles(string folder)
        => Written(folder, ".ts", ".mjs", ".css", ".py").Where(path => !path.StartsWith(PathOf("src", "Async2.Analysis"), StringComparison.Ordinal));

    private static IEnumerable<string> Written(string folder, params string[] endings)
    {
        var found = new List<string>();
        var folders = new Stack<string>([PathOf(folder)]);
        while (folders.TryPop(out string? next))
        {
            found.AddRange(Directory.EnumerateFiles(next).Where(path => endings.Contains(Path.GetExtension(path))));
            // Made or fetched, and in part very big.
            foreach (string inner in Directory.EnumerateDirectories(next).Where(path => Path.GetFileName(path) is not ("bin" or "obj" or ".cache" or "node_modules" or "dist" or "out" or "artifacts")))
                folders.Push(inner);
        }
        return found.Order(StringComparer.Ordinal);
    }

    private static string FindRoot(string folder)
        => File.Exists(Path.Join(folder, "Async2Diag.sln")) ? folder : FindRoot(Path.GetDirectoryName(folder.TrimEnd('/', '\\'))!);
}
