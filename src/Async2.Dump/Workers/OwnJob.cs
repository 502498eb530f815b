using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Async2.Dump.Workers;

/// <summary>
/// A job object of Windows with this process in it, and so all that it starts. When this process ends, killed or not, the system closes the job and
/// ends what is left in it at once: a worker whose end lets the process go that it holds. (Linux: <see cref="NativeProcess.EndWith"/>.)
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class OwnJob
{
    // JobObjectExtendedLimitInformation, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE (winnt.h, 64 bits).
    private const int ExtendedLimits = 9;
    private const int LimitsSize = 144;
    private const int FlagsAt = 16;
    private const uint KillOnClose = 0x2000;

    // The handle stays open for good.
    private static readonly Lazy<bool> Entered = new(Create);

    /// <summary>Enters it, once. False where that is not possible: in a job of somebody else's that does not permit it.</summary>
    public static bool Enter() => Entered.Value;

    private static bool Create()
    {
        nint job = CreateJobObjectW(0, 0);
        if (job == 0)
            return false;
        byte* limits = stackalloc byte[LimitsSize];
        new Span<byte>(limits, LimitsSize).Clear();
        *(uint*)(limits + FlagsAt) = KillOnClose;
        using var self = Process.GetCurrentProcess();
        return SetInformationJobObject(job, ExtendedLimits, limits, LimitsSize) != 0 && AssignProcessToJobObject(job, self.Handle) != 0;
    }

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial nint CreateJobObjectW(nint security, nint name);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int SetInformationJobObject(nint job, int kind, void* information, uint bytes);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int AssignProcessToJobObject(nint job, nint process);
}
