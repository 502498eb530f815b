using Async2.Analysis.Metadata.Signatures;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Files;

/// <summary>
/// Opens files whose names or folders are controlled by others. Only regular files: a pipe could
/// block, a device may do anything. The opened file is checked, not its name, which may refer to another file a moment later.
/// </summary>
internal static class RegularFile
{
    /// <summary>Maximum size of a file that is read completely, in bytes.</summary>
    public const long MaxBytes = 1024L * 1024 * 1024;

    /// <summary>Opens a file; null if it does not exist, is not a regular file, or may not be read.</summary>
    public static SafeFileHandle? Open(string path)
    {
        if (!OperatingSystem.IsLinux())
            return UntrustedBytes.Read(path, () => IsRegularElsewhere(path) ? File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete) : null);
        return Regular(LinuxFiles.OpenWithoutWaiting(path));
    }

    /// <summary>The same file if it is a regular one; otherwise it is closed, and the result is null.</summary>
    public static SafeFileHandle? Regular(SafeFileHandle? file)
    {
        if (file is null || LinuxFiles.FactsOf(file) is { IsRegular: true })
            return file;
        file.Dispose();
        return null;
    }

    /// <summary>The content of a file; null if it is empty, too large, or returns less than its size. The file is closed.</summary>
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

    // The length of a link is that of its text, so its target is checked.
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
