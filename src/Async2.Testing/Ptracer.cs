using System.Runtime.InteropServices;

namespace Async2.Testing;

/// <summary>Lets somebody read this process where Yama allows that to ancestors only (Ubuntu). Without Yama it does nothing, and nothing is needed.</summary>
internal static partial class Ptracer
{
    /// <summary>Takes it back.</summary>
    public const int Nobody = 0;

    // prctl(2): a process, and those that it has started.
    private const int SetPtracer = 0x59616d61;

    /// <summary>Allows it; the last one who is named may.</summary>
    /// <param name="pid">Id of the process that may read this one, or whose children may.</param>
    public static void Allow(int pid)
    {
        if (OperatingSystem.IsLinux())
            _ = Control(SetPtracer, pid, 0, 0, 0);
    }

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Control(int option, nint a, nint b, nint c, nint d);
}
