using System.Diagnostics;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Stops a process at a moment when its runtime does not suspend its own threads, as it does to collect garbage. Stopped in the middle of
/// that, it is released at once and stopped again a little later: each time costs it a millisecond.
/// </summary>
internal static class RuntimeAwareStop
{
    // Of a program that does hardly anything but collect, one of ten moments is calm.
    private const int Attempts = 60;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(16);

    /// <summary>Null if the process cannot be held. At the last attempt it is held as it is: what is torn then is said.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="limit">It is released when it has been stopped for so long.</param>
    /// <param name="before">How long it was stopped in attempts that were in vain.</param>
    public static ProcessFreeze? Of(int pid, TimeSpan limit, out TimeSpan before)
    {
        before = default;
        long start = Stopwatch.GetTimestamp();
        using RuntimeSuspension? suspension = RuntimeSuspension.Find(pid, MemoryMapping.Of(pid));
        _ = suspension?.IsSuspending;
        ProcessFreeze.Warmup(pid);
        for (int attempt = 1; ; attempt++)
        {
            if (ProcessFreeze.TryStop(pid, limit) is not { } freeze)
                return null;
            if (suspension is not { IsSuspending: true } || attempt == Attempts || Stopwatch.GetElapsedTime(start) > Limit)
                return freeze;
            freeze.Dispose();
            before += freeze.StoppedFor;
            Thread.Sleep(TimeSpan.FromMilliseconds(Math.Min(attempt, LongestPause.TotalMilliseconds)));
        }
    }
}
