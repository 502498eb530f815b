using System.Diagnostics;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets;

/// <summary>
/// The captured moment of a live target by two clocks. They are asked once, when it is opened: whatever is read of it says the same. A dump contains neither.
/// </summary>
/// <param name="Wall">By the clock of this machine; null for a dump.</param>
/// <param name="Tick">
/// By the target's <c>Environment.TickCount64</c>, which counts from the start of the machine, so that of a live process is ours, unless it
/// is in another time namespace; null if it cannot be known.
/// </param>
internal sealed record CaptureTime(DateTimeOffset? Wall, long? Tick)
{
    public static CaptureTime Of(TargetOrigin origin)
    {
        if (origin.IsDump)
            return new(null, null);
        TimeSpan ago = origin.Moment is { } moment ? Stopwatch.GetElapsedTime(moment) : TimeSpan.Zero;
        bool isOurTick = origin.Pid is { } pid && (OperatingSystem.IsWindows() || (OperatingSystem.IsLinux() && ProcFiles.IsInOurNamespace(pid, "time")));
        return new(DateTimeOffset.UtcNow - ago, isOurTick ? Environment.TickCount64 - (long)ago.TotalMilliseconds : null);
    }
}
