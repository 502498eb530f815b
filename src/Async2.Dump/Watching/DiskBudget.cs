using Async2.Analysis;

namespace Async2.Dump.Watching;

/// <summary>
/// How much room snapshots may take in a folder, those of others included. To make room it deletes what it has written itself and nobody has changed, oldest first; what is left of
/// another run is not deleted, but counted.
/// </summary>
/// <param name="folder">The folder.</param>
/// <param name="most">In bytes.</param>
internal sealed class DiskBudget(string folder, long most)
{
    private readonly Queue<(string Path, long Length, DateTime Written)> _own = [];

    /// <summary>Makes room for a file; why there is none, or null.</summary>
    /// <param name="bytes">Its size.</param>
    public string? MakeRoom(long bytes)
    {
        long used = Used();
        // What would not make enough room is not deleted for nothing.
        if (used + bytes - _own.Sum(file => file.Length) > most)
            return Full();
        while (used + bytes > most && _own.TryDequeue(out (string Path, long Length, DateTime Written) oldest))
        {
            if (Delete(oldest.Path, oldest.Length, oldest.Written))
                used -= oldest.Length;
        }
        return used + bytes <= most ? null : Full();
    }

    private string Full() => $"there is no room left of the {TextOf(most)} that snapshots in {folder} may take (--max-disk)";

    /// <summary>Notes a file that was written.</summary>
    public void Add(string path)
    {
        var file = new FileInfo(path);
        if (file.Exists)
            _own.Enqueue((path, file.Length, file.LastWriteTimeUtc));
    }

    private long Used()
    {
        try
        {
            return Directory.Exists(folder) ? new DirectoryInfo(folder).EnumerateFiles("*" + SnapshotFile.Extension).Sum(file => file.Length) : 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A file that was just deleted, or a folder that writing will complain about.
            return 0;
        }
    }

    private static bool Delete(string path, long length, DateTime written)
    {
        try
        {
            if (new FileInfo(path) is not { Exists: true, LinkTarget: null } file || file.Length != length || file.LastWriteTimeUtc != written)
                return false;
            file.Delete();
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static string TextOf(long bytes) => bytes >= 1 << 20 ? FormattableString.Invariant($"{bytes >> 20} MB") : FormattableString.Invariant($"{bytes >> 10} kB");
}
