using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Files;

/// <summary>Tells pipes, sockets and terminals from files on a disk, without waiting: opening a pipe that nobody writes to waits forever.</summary>
internal static class SpecialFile
{
    /// <summary>True for something that exists and cannot be read here and there. Only Linux tells; elsewhere false.</summary>
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
