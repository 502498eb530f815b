using Async2.Analysis.Targets;

namespace Async2.Analysis.Code.Metadata;

/// <summary>
/// Opens files whose names come from a dump or lie in a directory somebody else may write to. Only regular files: opening a pipe
/// would wait forever, a device may do anything.
/// </summary>
internal static class SafeFile
{
    /// <summary>Largest file that is read, in bytes.</summary>
    public const long MaxBytes = 1024L * 1024 * 1024;

    /// <summary>The whole file, or null when it is none, is too large or cannot be read.</summary>
    public static byte[]? ReadAllBytes(string path) => Untrusted.Read(path, () =>
    {
        if (!IsSane(path)) return null;
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete);
        if (stream.Length is <= 0 or > MaxBytes) return null;
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    });

    /// <summary>True when there is something of that name that is no directory.</summary>
    public static bool Exists(string path) => Untrusted.Read(path, () => File.Exists(path));

    /// <summary>
    /// Pipes, devices and the files of /proc have length 0. The length of a link is that of its text, so its target is asked.
    /// </summary>
    private static bool IsSane(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
        {
            if (file.ResolveLinkTarget(returnFinalTarget: true) is not FileInfo target) return false;
            file = target;
        }

        const FileAttributes odd = FileAttributes.Directory | FileAttributes.Device;
        return file.Exists && (file.Attributes & odd) == 0 && file.Length is > 0 and <= MaxBytes;
    }
}
