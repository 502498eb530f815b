using System.Diagnostics;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// The target's <c>Environment.TickCount64</c> at the captured moment. It counts from the start of the machine, so a
/// live process has the same value as this one, unless it is in another time namespace. A dump does not contain it.
/// </summary>
internal static class TickClock
{
    /// <summary>Null if it cannot be known.</summary>
    public static long? Of(TargetOrigin origin)
    {
        if (origin.IsDump || origin.Pid is not { } pid || !OperatingSystem.IsLinux() || !ProcFiles.IsInOurNamespace(pid, "time"))
            return null;
        TimeSpan ago = origin.Moment is { } moment ? Stopwatch.GetElapsedTime(moment) : TimeSpan.Zero;
        return Environment.TickCount64 - (long)ago.TotalMilliseconds;
    }
}
