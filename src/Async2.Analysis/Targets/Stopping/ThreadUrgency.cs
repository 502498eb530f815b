using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>How much of the processors the calling thread of this tool gets where others want them, too (sched(7)). Does nothing outside Linux, and where it is not permitted.</summary>
internal static partial class ThreadUrgency
{
    private const int PRIO_PROCESS = 0;
    private const int SCHED_OTHER = 0;
    private const int SCHED_IDLE = 5;

    // On Linux the "process" 0 is the calling thread.
    private const int ThisThread = 0;
    private const int Highest = -20;

    /// <summary>The calling thread's niceness: 0 if nobody has changed it, up to 19 for one that gives way to others.</summary>
    public static int Niceness => OperatingSystem.IsLinux() ? GetPriority(PRIO_PROCESS, ThisThread) : 0;

    /// <summary>It gets only what nobody else wants.</summary>
    public static bool IsIdle => OperatingSystem.IsLinux() && GetScheduler(ThisThread) == SCHED_IDLE;

    /// <summary>From now on it goes before all others: what it works on is stopped meanwhile.</summary>
    /// <returns>Its niceness before.</returns>
    public static int Raise()
    {
        int before = Niceness;
        Set(Highest);
        return before;
    }

    /// <summary>From now on it has this niceness, even if it had only what nobody else wants.</summary>
    public static unsafe void Set(int niceness)
    {
        if (!OperatingSystem.IsLinux())
            return;
        _ = SetPriority(PRIO_PROCESS, ThisThread, niceness);
        int noPriority = 0;
        if (IsIdle)
            _ = SetScheduler(ThisThread, SCHED_OTHER, &noPriority);
    }

    [LibraryImport("libc", EntryPoint = "getpriority")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetPriority(int which, int who);

    [LibraryImport("libc", EntryPoint = "setpriority")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int SetPriority(int which, int who, int priority);

    [LibraryImport("libc", EntryPoint = "sched_getscheduler")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetScheduler(int thread);

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static unsafe partial int SetScheduler(int thread, int policy, int* priority);
}
