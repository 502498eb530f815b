using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Files;

/// <summary>
/// Finds a file by its path below a root folder, one name after the other, each in the folder opened before it. So nobody
/// can insert another folder, links cannot lead out of the root, and the checks of each folder apply to the one
/// that was actually used.
/// </summary>
internal static class PathWalk
{
    // The kernel allows 40 links (path_resolution(7)); each folder in the path stays open.
    private const int LinkLimit = 40;
    private const int DepthLimit = 200;
    private const int NameLimit = 4096;

    /// <summary>Checks an entry of the path, a folder or the file at its end.</summary>
    /// <param name="folder">Its folder; the root is its own folder.</param>
    /// <param name="entry">The entry.</param>
    /// <param name="path">Its path, without links.</param>
    /// <returns>What is wrong; null for nothing.</returns>
    public delegate string? EntryRejection(FileFacts folder, FileFacts entry, string path);

    /// <summary>Walks the path.</summary>
    /// <param name="root">Where the path begins; <c>..</c> cannot leave it.</param>
    /// <param name="path">Absolute, below the root.</param>
    /// <param name="objection">Asked about everything on the way.</param>
    /// <param name="refusal">The first objection; then there is no result.</param>
    /// <returns>A mark of the file (<see cref="LinuxFiles.Entry"/>), neither folder nor link; null if there is none, or an objection.</returns>
    public static SafeFileHandle? Find(SafeFileHandle root, string path, EntryRejection objection, out string? refusal)
    {
        refusal = null;
        if (LinuxFiles.FactsOf(root) is not { } rootFacts)
            return null;
        refusal = objection(rootFacts, rootFacts, "/");
        var way = new List<Step> { new(root, rootFacts, "") };
        SafeFileHandle? found = refusal is null && Go(way, path, objection, out refusal) && !way[^1].Facts.IsFolder ? Take(way) : null;
        Leave(way);
        return found;
    }

    /// <summary>A handle of a folder below a root folder, by its path; null if there is none.</summary>
    public static SafeFileHandle? FindFolder(SafeFileHandle root, string path)
    {
        var way = new List<Step> { new(root, default, "") };
        SafeFileHandle? found = Go(way, path, (_, _, _) => null, out _) && way.Count > 1 && way[^1].Facts.IsFolder ? Take(way) : null;
        Leave(way);
        return found;
    }

    // True after the last name: then the last step is the result.
    private static bool Go(List<Step> way, string path, EntryRejection objection, out string? refusal)
    {
        var names = new Stack<string>(Enumerable.Reverse(path.Split('/')));
        refusal = null;
        for (int links = 0, steps = 0; names.TryPop(out string? name); steps++)
        {
            if (name is "" or ".")
                continue;
            if (name == "..")
            {
                LeaveLast(way);
                continue;
            }
            Step folder = way[^1];
            bool isOver = steps >= NameLimit || way.Count >= DepthLimit || (way.Count > 1 && !folder.Facts.IsFolder);
            if (isOver || LinuxFiles.Entry(folder.Handle, name) is not { } entry)
                return false;
            FileFacts facts = LinuxFiles.FactsOf(entry) ?? default;
            if (facts.IsLink)
            {
                string? text = LinuxFiles.LinkText(entry);
                entry.Dispose();
                if (text is null || ++links > LinkLimit)
                    return false;
                Follow(text, way, names);
                continue;
            }
            way.Add(new(entry, facts, folder.Path + "/" + name));
            refusal = objection(folder.Facts, facts, way[^1].Path);
            if (refusal is not null)
                return false;
        }
        return true;
    }

    private static SafeFileHandle Take(List<Step> way)
    {
        SafeFileHandle found = way[^1].Handle;
        way.RemoveAt(way.Count - 1);
        return found;
    }

    private static void Follow(string text, List<Step> way, Stack<string> names)
    {
        if (text.StartsWith('/'))
            Leave(way);
        foreach (string part in Enumerable.Reverse(text.Split('/')))
            names.Push(part);
    }

    private static void Leave(List<Step> way)
    {
        while (way.Count > 1)
            LeaveLast(way);
    }

    // The root stays: it is the caller's, and its own parent.
    private static void LeaveLast(List<Step> way)
    {
        if (way.Count == 1)
            return;
        way[^1].Handle.Dispose();
        way.RemoveAt(way.Count - 1);
    }

    private readonly record struct Step(SafeFileHandle Handle, FileFacts Facts, string Path);
}
