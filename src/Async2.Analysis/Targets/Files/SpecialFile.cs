using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Files;

/// <summary>Distinguishes pipes, sockets and terminals from files on a disk without blocking: opening a pipe without a writer blocks forever.</summary>
internal static class SpecialFile
{
    /// <summary>True for an existing file without random access. Only on Linux; elsewhere false.</summary>
    public static bool Is(string path)
    {
        if (!OperatingSystem.IsLinux())
            return false;
        using SafeFileHandle? handle = LinuxFiles.OpenWithoutWaiting(path);
        if (handle is null)
            return Marshal.GetLastPInvokeError() == NoSuchDevice;
        using var stream = new FileStream(handle, FileAccess.Read, bufferSize: 0);
        return !stream.CanSeek;
    }

    // ENXIO: a socket.
    private const int NoSuchDevice = 6;
}
