using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Pool;

namespace Async2.Analysis.Heap;

/// <summary>Collects what has a time in a target: timers that were made for one wait, and the moment of the target itself.</summary>
internal static class AgeFactsReader
{
    // Task.Delay and Task.WaitAsync make a timer for themselves and never set it again, as a CancellationTokenSource or a Timer of the program may.
    private static readonly string[] OwnTimers = ["System.Threading.Tasks.Task+DelayPromise", "System.Threading.Tasks.Task+CancellationPromise"];

    /// <param name="target">The target.</param>
    /// <param name="index">Has the timers.</param>
    /// <param name="pool">Has ticks of the thread pool.</param>
    /// <param name="starts">What began before stacks waited.</param>
    public static AgeFacts Read(Target target, HeapIndex index, PoolReader pool, IReadOnlyDictionary<int, StackStart> starts)
    {
        // In a dump nothing but timers tells the moment well enough.
        if (index.Timers.Count == 0 && (starts.Count == 0 || target.CapturedAt.Tick is null))
            return AgeFacts.None;
        (long now, NowSource source) = target.CapturedAt.Tick is { } tick ? (tick, NowSource.Clock) : Newest(index, pool, starts);
        IReadOnlyList<TimerStamp> own = Own(target, index);
        var facts = new AgeFacts
        {
            Now = now,
            NowSource = source,
            Timers = new ulong[own.Count],
            Promises = new ulong[own.Count],
            Ticks = new long[own.Count],
            Starts = starts,
            FramesAreNew = index.Layout.Continuation is { Shape: ContinuationShape.Arrays },
        };
        for (int i = 0; i < own.Count; i++)
            (facts.Timers[i], facts.Promises[i], facts.Ticks[i]) = (own[i].Address, own[i].State, own[i].Start);
        return facts;
    }

    private static (long Now, NowSource Source) Newest(HeapIndex index, PoolReader pool, IReadOnlyDictionary<int, StackStart> starts)
    {
        long newest = index.Timers.Max(timer => timer.Start), began = starts.Values.Select(start => start.Tick).DefaultIfEmpty().Max();
        (newest, NowSource source) = began > newest ? (began, NowSource.Activity) : (newest, NowSource.Timer);
        foreach ((int tick, bool isTimer) in pool.Ticks())
        {
            // The low half: at most 24 days away.
            int later = unchecked(tick - (int)newest);
            if (later > 0)
                (newest, source) = (newest + later, isTimer ? NowSource.TimerQueue : NowSource.Pool);
        }
        return (newest, source);
    }

    private static IReadOnlyList<TimerStamp> Own(Target target, HeapIndex index)
    {
        var isOwn = new Dictionary<ulong, bool>();
        int count = 0;
        ulong last = 0;
        bool isOrdered = true;
        foreach (TimerStamp stamp in index.Timers)
        {
            // All timers of such promises have one callback; a promise's type is asked for once for each.
            if (!isOwn.TryGetValue(stamp.Callback, out bool ends))
                isOwn[stamp.Callback] = ends = IsOwn(target, stamp.State);
            if (!ends)
                continue;
            isOrdered &= last < stamp.Address;
            last = stamp.Address;
            count++;
        }
        // A million of them are nearly always all that there are.
        IEnumerable<TimerStamp> own = index.Timers.Where(stamp => isOwn[stamp.Callback]);
        return !isOrdered ? [.. own.OrderBy(stamp => stamp.Address).DistinctBy(stamp => stamp.Address)] : count == index.Timers.Count ? index.Timers : [.. own];
    }

    private static bool IsOwn(Target target, ulong state)
        => state != 0 && TypeLookup.Of(target.Runtime, new HeapObject(target.Memory, state).MethodTable()) is { } type
            && Array.Exists(OwnTimers, name => BaseTypes.Of(type).Any(current => current.Name is { } known && (known == name || known.StartsWith(name + "<", StringComparison.Ordinal))));
}
