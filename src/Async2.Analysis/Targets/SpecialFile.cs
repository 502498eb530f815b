using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets;

/// <summary>Tells pipes, sockets and terminals from files on a disk, without waiting: opening a pipe that nobody writes to waits forever.</summary>
internal static partial class SpecialFile
{
    // open(2) on Linux, the same on x64 and arm64; access mode 0 is O_RDONLY.
    private const int O_NONBLOCK = 0x800;
    private const int O_CLOEXEC = 0x80000;

    /// <summary>True for something that exists and cannot be read here and there. Only Linux tells; elsewhere false.</summary>
    public static bool Is(string path)
    {
        if (!OperatingSystem.IsLinux())
            return false;
        using SafeFileHandle handle = Open(path, O_NONBLOCK | O_CLOEXEC);
        if (handle.IsInvalid)
            return Marshal.GetLastPInvokeError() == NoSuchDevice;
        using var stream = new FileStream(handle, FileAccess.Read, bufferSize: 0);
        return !stream.CanSeek;
    }

    // ENXIO: a socket.
    private const int NoSuchDevice = 6;

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial SafeFileHandle Open(string path, int flags);
}
