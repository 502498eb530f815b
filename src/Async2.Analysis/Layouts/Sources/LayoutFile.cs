using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets.Files;

namespace Async2.Analysis.Layouts.Sources;

/// <summary>A layout that the user wrote, with the layouts that it builds on.</summary>
internal static class LayoutFile
{
    /// <summary>Reads and checks a file: itself, then its baselines, each believed after the one before.</summary>
    /// <param name="path">As the user typed it.</param>
    /// <exception cref="LayoutException">It is not a layout that can be used.</exception>
    public static IReadOnlyList<LayoutDescription> Read(string path)
    {
        LayoutDescription own = ReadOne(path);
        List<LayoutDescription> chain = [own];
        var seen = new HashSet<string>(StringComparer.Ordinal) { Path.GetFullPath(path) };
        string folder = FolderOf(path);
        while (chain[^1] is { Baseline: { } name } last && !Baselines.IsEmpty(name))
        {
            if (Baselines.Find(name) is { } builtIn)
            {
                chain.Add(builtIn);
                break;
            }
            string next = Path.GetFullPath(name, folder);
            if (!seen.Add(next))
                throw Refused(last, $"baseline \"{name}\" refers to itself");
            if (seen.Count > LayoutLimits.Baselines)
                throw Refused(last, FormattableString.Invariant($"baseline \"{name}\" is the {seen.Count}th of a row; at most {LayoutLimits.Baselines} files build on each other"));
            if (!File.Exists(next))
                throw Refused(last, $"baseline \"{name}\" is not a built-in layout ({string.Join(", ", Baselines.Names)}), and there is no such file beside it");
            chain.Add(ReadOne(next));
            folder = FolderOf(next);
        }
        if (own is { Types.Count: 0, Globals.Count: 0, Contracts.Count: 0, Absent.Count: 0 } && chain.Count == 1)
            throw Refused(own, "it has no type, global or contract that concerns async code");
        IReadOnlyList<string> faults = LayoutCheck.FaultsOf(new LayoutFacts(chain));
        return faults.Count == 0 ? chain : throw DescriptionParser.Refused(own.Source, faults);
    }

    private static LayoutException Refused(LayoutDescription description, string fault) => DescriptionParser.Refused(description.Source, [fault]);

    private static string FolderOf(string path) => Path.GetDirectoryName(Path.GetFullPath(path))!;

    private static LayoutDescription ReadOne(string path)
    {
        var source = new LayoutSource(LayoutSourceKind.File, "file " + path);
        try
        {
            if (Directory.Exists(path))
                throw DescriptionParser.Refused(source, ["it is a folder"]);
            // Opening a pipe without a writer would wait forever.
            if (SpecialFile.Is(path))
                throw DescriptionParser.Refused(source, ["it is a pipe or a device, not a file"]);
            using FileStream file = File.OpenRead(path);
            if (file.Length > LayoutLimits.JsonBytes)
                throw DescriptionParser.Refused(source, [DescriptionParser.TooLong(source, file.Length)]);
            byte[] json = new byte[file.Length];
            int read = file.ReadAtLeast(json, json.Length, throwOnEndOfStream: false);
            return DescriptionParser.Parse(json.AsMemory(0, read), source);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException)
        {
            throw DescriptionParser.Refused(source, [e is FileNotFoundException or DirectoryNotFoundException ? "there is no such file" : "it cannot be read: " + e.Message]);
        }
    }
}
