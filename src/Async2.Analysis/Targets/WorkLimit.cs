using System.Diagnostics;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets;

/// <summary>
/// How long a search may work: time of the processor, for the thread that made this. By the clock on the wall, what is found would depend on what else
/// the machine does.
/// </summary>
/// <param name="limit">So long.</param>
internal sealed partial class WorkLimit(TimeSpan limit)
{
    // CLOCK_THREAD_CPUTIME_ID of Linux' time.h.
    private const int ThreadTime = 3;

    private readonly TimeSpan _start = Now();

    /// <summary>It has worked for so long.</summary>
    public bool IsOver => Now() - _start > limit;

    // Elsewhere the clock on the wall has to do.
    private static TimeSpan Now()
    {
        if (OperatingSystem.IsWindows())
            return WindowsCalls.ProcessorTimeOfThisThread ?? Stopwatch.GetElapsedTime(0);
        return OperatingSystem.IsLinux() && ClockGetTime(ThreadTime, out TimeSpec time) == 0
            ? TimeSpan.FromSeconds(time.Seconds) + TimeSpan.FromTicks(time.Nanoseconds / TimeSpan.NanosecondsPerTick)
            : Stopwatch.GetElapsedTime(0);
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    // struct timespec of 64-bit Linux.
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct TimeSpec
    {
        public readonly long Seconds;
        public readonly long Nanoseconds;
    }
}
