using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Windows;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// A library of Windows that may be loaded. It is opened so that nobody can write to it, and stays open for good: as long as it is, neither it nor a folder above it can be
/// renamed or deleted, so what is loaded by its name is what was checked.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class WindowsCodeFile
{
    private static readonly ConcurrentDictionary<string, SafeFileHandle> Opened = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Opens one that is to be trusted.</summary>
    /// <param name="path">On a disk of this machine.</param>
    /// <param name="isOurs">Our user's own files will do.</param>
    /// <param name="file">Open; not to be closed.</param>
    /// <param name="real">Its path without links.</param>
    /// <param name="refusal">Why it is not to be trusted; null if it is, and when there is none.</param>
    public static bool TryOpen(string path, bool isOurs, [NotNullWhen(true)] out SafeFileHandle? file, out string real, out string? refusal)
    {
        (file, real, refusal) = (null, path, null);
        if (!TargetPath.IsLocal(path) || !File.Exists(path))
            return false;
        try
        {
            var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
            real = FinalPath.Of(stream.SafeFileHandle) ?? path;
            // A link may lead to a share.
            refusal = TargetPath.IsLocal(real) ? FileTrust.Rejection(stream, real, isOurs) : $"'{path}' is not on a disk of this machine";
            if (refusal is not null)
            {
                stream.Dispose();
                return false;
            }
            file = Opened.GetOrAdd(real, stream.SafeFileHandle);
            if (file != stream.SafeFileHandle)
                stream.Dispose();
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidOperationException or ArgumentException)
        {
            refusal = $"'{path}' cannot be looked at: {e.Message.TrimEnd('.')}";
            return false;
        }
    }
}
