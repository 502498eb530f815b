using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Pool;

/// <summary>Reads the state of the thread pool: its numbers, its queues, its workers. It costs no walk: the heap's has noted the few objects.</summary>
internal sealed class PoolReader
{
    private const int NameLimit = 50;

    private readonly WaitReaderContext _all;
    private readonly PoolObjects _objects;
    private readonly HeapObject _pool;
    private readonly PoolLayout? _layout;

    /// <param name="all">The target's objects.</param>
    /// <param name="items">Follows what is queued to what it resumes.</param>
    /// <param name="isOperation">Whether an async method stands at an address.</param>
    public PoolReader(WaitReaderContext all, WorkItems items, Func<ulong, bool> isOperation)
    {
        _all = all;
        _objects = new PoolObjects(all);
        Queue = new PoolQueue(all, _objects, items, isOperation);
        _pool = _objects.FirstOf(PoolPart.Pool);
        _layout = _pool.Address == 0 ? null : all.Layouts(PoolLayout.Of).Of(_pool);
        if (_layout is { } layout && _pool.Int64(layout.Counts) is { } counts)
            Counts = PoolLayout.Split(counts);
    }

    public PoolQueue Queue { get; }

    /// <summary>Workers that run something, all workers, and how many there should be; null if the pool has none, or they cannot be read.</summary>
    public (int Working, int Existing, int Goal)? Counts { get; }

    /// <summary>Null for a program that has not used its pool, and where it cannot be read: then <see cref="IsUnreadable"/>.</summary>
    /// <param name="nameOf">Name of an operation; null for none.</param>
    public PoolFacts? Read(Func<ulong, string?> nameOf)
    {
        if (Counts is not { } counts || _layout is not { } layout)
            return null;
        (long? since, bool isBound) = SinceProgress(layout);
        return new PoolFacts
        {
            Working = counts.Working,
            Existing = counts.Existing,
            Goal = counts.Goal,
            Min = Int16(layout.Min),
            Max = Int16(layout.Max),
            BlockedInTask = Int16(layout.Blocked),
            AddedForBlocking = Int16(layout.Added),
            CpuPercent = layout.Cpu is { } cpu && _pool.Int32(cpu) is >= 0 and <= 100 and var percent ? percent : null,
            SinceProgressMs = since,
            IsSinceProgressBound = isBound,
            HighPriority = Queue.HighPriority,
            Global = Queue.Global,
            Local = Queue.Local,
            Queue = Named(nameOf),
            Workers = [.. Workers()],
            LastAdjustment = LastAdjustment() is var (reason, goal, tick) ? new(reason, goal, SinceTick(tick) is (var ago, false) ? ago : null) : null,
        };
    }

    /// <summary>There is a pool, but not what is expected of one. It has a queue from the first item on: SetMinThreads makes one without.</summary>
    public bool IsUnreadable => _pool.Address != 0 && (Counts is null || _layout is { IsWhole: false } || (Counts is not { Existing: 0 } && _objects.Of(PoolPart.SharedQueue).Count == 0));

    /// <summary>Ticks that have come, of which timers and the pool tell; of a pool's only the low half is known. </summary>
    public IEnumerable<(int Tick, bool IsTimer)> Ticks()
    {
        foreach (int tick in KnownTicks())
            yield return (tick, true);
        if (_layout?.LastDequeue is { } offset && _pool.Int32(offset) is not (null or 0) and var last)
            yield return (last.Value, false);
    }

    private int? Int16(int? offset) => offset is { } at && _pool.Int32(at) is { } value ? (short)value : null;

    private ImmutableArray<QueuedWork> Named(Func<ulong, string?> nameOf)
    {
        var counts = new Dictionary<(QueuedWorkKind Kind, string Name), long>(Queue.Counts);
        foreach (ulong operation in Queue.Operations)
        {
            (QueuedWorkKind, string) key = (QueuedWorkKind.Resumption, nameOf(operation) ?? "unknown");
            counts[key] = counts.GetValueOrDefault(key) + 1;
        }
        return [.. counts.Select(pair => new QueuedWork(pair.Key.Kind, pair.Key.Name, pair.Value))
            .OrderByDescending(work => work.Count).ThenBy(work => work.Kind).ThenBy(work => work.Name, StringComparer.Ordinal).Take(NameLimit)];
    }

    /// <summary>Managed ids of its workers, ascending.</summary>
    public IReadOnlyCollection<int> Workers()
    {
        LayoutCache<PoolThreadLayout> layouts = _all.Layouts(PoolThreadLayout.Of);
        HashSet<int> alive = [.. _all.Target.Runtime.Threads.Where(thread => thread.IsAlive).Select(thread => thread.ManagedThreadId)];
        var workers = new SortedSet<int>();
        foreach (HeapObject thread in _objects.Of(PoolPart.Thread))
        {
            if (layouts.Of(thread) is { } layout && (layout.IsPool is not { } isPool || thread.Byte(isPool) is > 0) && thread.Int32(layout.ManagedId) is { } id && alive.Contains(id)
                && StringLayout.Read(_all.Target.Memory, thread.Reference(layout.Name), PoolThreadLayout.Worker.Length + 1) == PoolThreadLayout.Worker)
                workers.Add(id);
        }
        return workers;
    }

    private (long? Ms, bool IsBound) SinceProgress(PoolLayout layout)
        => layout.LastDequeue is { } offset && _pool.Int32(offset) is not (null or 0) and var last ? SinceTick(last.Value) : (null, false);

    // The pool notes the low half of the tick count.
    private (long? Ms, bool IsBound) SinceTick(int tick)
    {
        if (_all.Timers.Now is { } now)
            return (Math.Max(0, unchecked((int)now - tick)), false);
        long known = -1;
        foreach (int later in KnownTicks())
            known = Math.Max(known, unchecked(later - tick));
        return known >= 0 ? (known, true) : (null, false);
    }

    // Times that have come, of which the target's memory tells.
    private IEnumerable<int> KnownTicks()
    {
        LayoutCache<TimerQueueLayout> timers = _all.Layouts(TimerQueueLayout.Of);
        foreach (HeapObject queue in _objects.Of(PoolPart.Timers))
        {
            if (_all.Timers.LatestIn(queue) is > 0 and var latest)
                yield return (int)latest;
            // The timer thread has put it into the pool's queue when its time had come.
            if (Queue.HasFired(queue.Address) && timers.Of(queue) is { Duration: { } duration } layout && queue.Int64(layout.CurrentStartTicks) is { } start
                && queue.UInt32(duration) is { } length and < int.MaxValue)
                yield return (int)(start + length);
        }
        if (LastAdjustment() is var (_, _, tick))
            yield return tick;
        if (_layout?.LastSample is { } offset && _pool.Int32(offset) is not (null or 0) and var sample)
            yield return sample.Value;
    }

    private (string Reason, int Goal, int Tick)? LastAdjustment()
    {
        HeapObject goal = _objects.FirstOf(PoolPart.Goal);
        if (goal.Address == 0 || _all.Layouts(PoolGoalLayout.Of).Of(goal) is not { } layout || goal.Int32(layout.Size) is not (> 0 and var size) || goal.Int32(layout.Start) is not (>= 0 and var start))
            return null;
        HeapObject log = goal.At(layout.Log);
        if (log.Length() is not (> 0 and <= PoolLogLayout.MostEntries and var length) || _all.Layouts(PoolLogLayout.Of).Of(log) is not { } entry)
            return null;
        int last = ArrayLayout.FirstElement(_all.Target.Memory) + ((int)(((uint)start + (uint)size - 1) % length) * entry.Size);
        return log.Int32(last + entry.Tick) is { } tick && log.Int32(last + entry.Reason) is { } reason && log.Int32(last + entry.Goal) is { } wanted
            ? (PoolLogLayout.NameOf(reason), wanted, tick) : null;
    }
}
