using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Waits.Reading;

/// <summary>How long a timer is, and when it fires.</summary>
/// <param name="Due">Ms from its start; null when it never fires.</param>
/// <param name="Period">Ms; null when it fires once.</param>
/// <param name="Left">Ms until it fires, less than 0 when it is overdue; null when that cannot be known.</param>
/// <param name="IsBound">It is no more than that: when a dump was written is not known.</param>
internal sealed record TimerFacts(long? Due, long? Period, long? Left, bool IsBound);

/// <summary>Reads timers of the framework, whatever they are wrapped in.</summary>
/// <param name="target">Has them.</param>
/// <param name="now">Its tick count; null in a dump.</param>
internal sealed class TimerReader(Target target, long? now)
{
    private const int WrapperLimit = 4;

    // A queue knows of many timers; the first few say well enough how late it is at least.
    private const int NeighbourLimit = 64;

    // The tick count moves in steps of up to 16 ms.
    private const long Grace = 100;

    private readonly LayoutCache<TimerLayout> _timers = new(target.Runtime, TimerLayout.Of);
    private readonly LayoutCache<TimerWrapperLayout> _wrappers = new(target.Runtime, TimerWrapperLayout.Of);
    private readonly LayoutCache<TimerQueueLayout> _queues = new(target.Runtime, TimerQueueLayout.Of);
    private readonly Dictionary<ulong, long> _latest = [];

    /// <summary>Null for an object that is not a timer of the framework's.</summary>
    public TimerFacts? Read(ulong address)
    {
        var item = new HeapObject(target.Memory, address);
        for (int i = 0; i < WrapperLimit && item.Address != 0; i++)
        {
            if (_timers.Of(item) is { } layout)
                return ReadTimer(item, layout);
            if (_wrappers.Of(item) is not { } wrapper)
                return null;
            item = item.At(wrapper.Inner);
        }
        return null;
    }

    private TimerFacts? ReadTimer(HeapObject timer, TimerLayout layout)
    {
        if (timer.Int64(layout.StartTicks) is not { } start || timer.UInt32(layout.DueTime) is not { } due || timer.UInt32(layout.Period) is not { } period)
            return null;
        long? repeats = period is 0 or TimerLayout.Infinite ? null : period;
        if (due == TimerLayout.Infinite)
            return new(null, repeats, null, false);
        return new(due, repeats, start < 0 || start > long.MaxValue - due ? null : Left(timer, layout, start, start + due), now is null);
    }

    private long? Left(HeapObject timer, TimerLayout layout, long start, long fires)
    {
        if (now is { } tick)
            return tick + Grace < start ? null : fires - tick;
        return target.Origin.IsDump ? fires - Math.Max(start, LatestOf(timer.At(layout.Queue), layout)) : null;
    }

    private long LatestOf(HeapObject queue, TimerLayout layout)
    {
        if (!_latest.TryGetValue(queue.Address, out long latest))
            _latest[queue.Address] = latest = AtLeast(queue, layout);
        return latest;
    }

    // When a dump was written: not before anything that it says has happened.
    private long AtLeast(HeapObject queue, TimerLayout layout)
    {
        if (_queues.Of(queue) is not { } fields)
            return 0;
        long latest = queue.Int64(fields.CurrentStartTicks) ?? 0;
        foreach (int list in (int[])[fields.Short, fields.Long])
        {
            HeapObject timer = queue.At(list);
            for (int i = 0; i < NeighbourLimit && _timers.Of(timer) is not null; i++, timer = timer.At(layout.Next))
                latest = Math.Max(latest, timer.Int64(layout.StartTicks) ?? 0);
        }
        return latest;
    }
}
