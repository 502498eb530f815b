using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>How long a timer is, and when it fires.</summary>
/// <param name="Due">Ms from its start; null if it never fires.</param>
/// <param name="Period">Ms; null if it fires once.</param>
/// <param name="Left">Ms until it fires, less than 0 if it is overdue; null if that cannot be known.</param>
/// <param name="IsBound">It is no more than that: when a dump was written is not known.</param>
internal sealed record TimerFacts(long? Due, long? Period, long? Left, bool IsBound);

/// <summary>Reads timers of the framework, whatever they are wrapped in.</summary>
/// <param name="target">Has them.</param>
/// <param name="now">Its tick count; null in a dump.</param>
internal sealed class TimerReader(Target target, long? now)
{
    private const int WrapperLimit = 4;

    // A queue can have many timers; the first few are enough for a lower bound of the time.
    private const int NeighbourLimit = 64;

    // The tick count moves in steps of up to 16 ms.
    private const long Grace = 100;

    private readonly LayoutCache<TimerLayout> _timers = new(target.Runtime, TimerLayout.Of);
    private readonly LayoutCache<TimerWrapperLayout> _wrappers = new(target.Runtime, TimerWrapperLayout.Of);
    private readonly LayoutCache<TimerQueueLayout> _queues = new(target.Runtime, TimerQueueLayout.Of);
    private readonly Dictionary<ulong, long> _latest = [];

    /// <summary>The target's tick count; null in a dump.</summary>
    public long? Now => now;

    /// <summary>The target's tick count was at least so much, by the timers of one queue; 0 if they do not tell.</summary>
    public long LatestIn(HeapObject queue)
    {
        if (!_latest.TryGetValue(queue.Address, out long latest))
            _latest[queue.Address] = latest = AtLeast(queue);
        return latest;
    }

    /// <summary>Address of the <c>TimerQueueTimer</c> behind an object; 0 if there is none, or it is not set.</summary>
    public ulong Find(ulong address)
        => Unwrap(address) is var (timer, layout) && timer.UInt32(layout.DueTime) is not (null or TimerLayout.Infinite) ? timer.Address : 0;

    /// <summary>Null for an object that is not a timer of the framework's.</summary>
    public TimerFacts? Read(ulong address) => Unwrap(address) is var (timer, layout) ? ReadTimer(timer, layout) : null;

    private (HeapObject Timer, TimerLayout Layout)? Unwrap(ulong address)
    {
        var item = new HeapObject(target.Memory, address);
        for (int i = 0; i < WrapperLimit && item.Address != 0; i++)
        {
            if (_timers.Of(item) is { } layout)
                return (item, layout);
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
            return tick + Grace < start ? null : fires - Math.Max(tick, start);
        return target.Origin.IsDump ? fires - Math.Max(start, LatestIn(timer.At(layout.Queue))) : null;
    }

    // The time at which a dump was written: not before any event that the dump records.
    private long AtLeast(HeapObject queue)
    {
        if (_queues.Of(queue) is not { } fields)
            return 0;
        long latest = queue.Int64(fields.CurrentStartTicks) ?? 0;
        foreach (int list in (int[])[fields.Short, fields.Long])
        {
            HeapObject timer = queue.At(list);
            for (int i = 0; i < NeighbourLimit && _timers.Of(timer) is { } layout; i++, timer = timer.At(layout.Next))
                latest = Math.Max(latest, timer.Int64(layout.StartTicks) ?? 0);
        }
        return latest;
    }
}

/// <summary>
/// <c>System.Threading.TimerQueueTimer</c>, on which all timers of .NET are built (System.Private.CoreLib 10.0.12, Timer.cs).
/// </summary>
/// <param name="StartTicks">long, <c>Environment.TickCount64</c> when it was set.</param>
/// <param name="DueTime">uint, ms from then; all ones when it is not set.</param>
/// <param name="Period">uint, ms; all ones or 0 if it fires once.</param>
/// <param name="Queue">TimerQueue that has it.</param>
/// <param name="Next">Next timer of the queue.</param>
internal sealed record TimerLayout(int StartTicks, int DueTime, int Period, int Queue, int Next)
{
    /// <summary>Timeout.UnsignedInfinite.</summary>
    public const uint Infinite = uint.MaxValue;

    public static TimerLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.TimerQueueTimer"
            && FieldOffsets.Find(type, pointerSize, "_startTicks", "_dueTime", "_period", "_associatedTimerQueue", "_next") is { } fields
            ? new(fields["_startTicks"], fields["_dueTime"], fields["_period"], fields["_associatedTimerQueue"], fields["_next"])
            : null;
}

/// <summary><c>TimerQueue</c>: one for each processor.</summary>
/// <param name="CurrentStartTicks">long, tick count when the queue last set its system timer: it was then at the earliest.</param>
/// <param name="Short">First of the timers that are due soon.</param>
/// <param name="Long">First of the others.</param>
internal sealed record TimerQueueLayout(int CurrentStartTicks, int Short, int Long)
{
    /// <summary>uint, ms after which it fires; null if this runtime has no such field.</summary>
    public int? Duration { get; private init; }

    public static TimerQueueLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_currentTimerStartTicks", "_shortTimers", "_longTimers") is { } fields
            ? new(fields["_currentTimerStartTicks"], fields["_shortTimers"], fields["_longTimers"]) { Duration = FieldPath.Find(type, pointerSize, "_currentTimerDuration") }
            : null;
}

/// <summary>Wrappers of a timer: <c>Timer</c>, <c>TimerHolder</c>, <c>TimeProvider+SystemTimeProviderTimer</c>.</summary>
/// <param name="Inner">What is wrapped.</param>
internal sealed record TimerWrapperLayout(int Inner)
{
    private static readonly string[] Names =
        ["System.Threading.Timer", "System.Threading.TimerHolder", "System.TimeProvider+SystemTimeProviderTimer"];

    public static TimerWrapperLayout? Of(ClrType type, int pointerSize)
        => Names.Contains(type.Name) && FieldPath.Find(type, pointerSize, "_timer") is { } inner ? new(inner) : null;
}
