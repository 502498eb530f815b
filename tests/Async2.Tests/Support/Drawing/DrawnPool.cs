using Async2.Analysis.Model;

namespace Async2.Tests.Support.Drawing;

/// <summary>Pools of threads to draw.</summary>
internal static class DrawnPool
{
    /// <summary>Every field has a value that no other has.</summary>
    public static PoolFacts Whole { get; } = new()
    {
        Working = 4,
        Existing = 5,
        Goal = 6,
        Min = 2,
        Max = 7,
        BlockedInTask = 3,
        AddedForBlocking = 1,
        CpuPercent = 12,
        SinceProgressMs = 2600,
        IsSinceProgressBound = true,
        HighPriority = 8,
        Global = 9,
        Local = 10,
        Queue = [new(QueuedWorkKind.Resumption, "Orders.PayAsync", 20), new(QueuedWorkKind.Timers, "TimerQueue", 7)],
        Workers = [11, 12, 13, 14, 15],
        LastAdjustment = new("Starvation", 6, 450),
    };
}
