using Async2.Analysis.Metadata.Signatures;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Files;

/// <summary>
/// Opens files whose names somebody else chose, or that lie where somebody else may write. Only regular files: a pipe would be
/// waited for, a device may do anything. Asked is what was opened, not its name: that may be another thing a moment later.
/// </summary>
internal static class RegularFile
{
    /// <summary>Largest file that is read whole, in bytes.</summary>
    public const long MaxBytes = 1024L * 1024 * 1024;

    /// <summary>Opens one; null when there is none, when it is something else, or may not be read.</summary>
    public static SafeFileHandle? Open(string path)
    {
        if (!OperatingSystem.IsLinux())
            return UntrustedBytes.Read(path, () => IsRegularElsewhere(path) ? File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete) : null);
        return Regular(LinuxFiles.OpenWithoutWaiting(path));
    }

    /// <summary>The same file if it is a regular one; otherwise it is closed, and null.</summary>
    public static SafeFileHandle? Regular(SafeFileHandle? file)
    {
        if (file is null || LinuxFiles.FactsOf(file) is { IsRegular: true })
            return file;
        file.Dispose();
        return null;
    }

    /// <summary>All of a file; null when it is empty, too large, or gives less than it has. The file is closed.</summary>
    public static byte[]? ReadAll(SafeFileHandle? file)
    {
        using (file)
        {
            return file is null ? null : UntrustedBytes.Read(file, () =>
            {
                long length = RandomAccess.GetLength(file);
                if (length is <= 0 or > MaxBytes)
                    return null;
                byte[] bytes = new byte[length];
                for (int done = 0; done < bytes.Length;)
                {
                    int read = RandomAccess.Read(file, bytes.AsSpan(done), done);
                    if (read == 0)
                        return null;
                    done += read;
                }
                return bytes;
            });
        }
    }

    // The length of a link is that of its text, so its target is asked.
    private static bool IsRegularElsewhere(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
        {
            if (file.ResolveLinkTarget(returnFinalTarget: true) is not FileInfo target)
                return false;
            file = target;
        }
        const FileAttributes odd = FileAttributes.Directory | FileAttributes.Device;
        return file.Exists && (file.Attributes & odd) == 0 && file.Length > 0;
    }
}
