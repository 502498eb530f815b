namespace Async2.Dump.Watching;

/// <summary>Snapshots of which the last ones are kept. It deletes only files that it has written and that nobody has changed since.</summary>
/// <param name="kept">How many.</param>
internal sealed class SnapshotRing(int kept)
{
    private readonly Queue<(string Path, long Length, DateTime Written)> _files = [];

    /// <summary>Takes a file that was just written, and deletes the oldest one if there are too many.</summary>
    /// <returns>Why that could not be deleted; null if all is well.</returns>
    public string? Add(string path)
    {
        var file = new FileInfo(path);
        _files.Enqueue((path, file.Length, file.LastWriteTimeUtc));
        if (_files.Count <= kept)
            return null;
        (string oldest, long length, DateTime written) = _files.Dequeue();
        try
        {
            if (new FileInfo(oldest) is { Exists: true, LinkTarget: null } old && old.Length == length && old.LastWriteTimeUtc == written)
                old.Delete();
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return exception.Message;
        }
    }
}
