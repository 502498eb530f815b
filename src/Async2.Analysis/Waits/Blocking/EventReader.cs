using System.Collections.Immutable;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>What has no owner: threads wait here until somebody else says so.</summary>
internal sealed class EventReader(WaitReaderContext all)
{
    private readonly LayoutCache<SemaphoreLayout> _semaphores = all.Layouts(SemaphoreLayout.Of);
    private readonly LayoutCache<QueueNodeLayout> _nodes = all.Layouts(QueueNodeLayout.OfTaskNode);
    private readonly LayoutCache<EventLayout> _events = all.Layouts(EventLayout.Of);
    private readonly LayoutCache<CountdownLayout> _countdowns = all.Layouts(CountdownLayout.Of);
    private readonly LayoutCache<BarrierLayout> _barriers = all.Layouts(BarrierLayout.Of);
    private readonly LayoutCache<BlockingCollectionLayout> _collections = all.Layouts(BlockingCollectionLayout.Of);
    private readonly LayoutCache<CountdownTaskLayout> _allTasks = all.Layouts(CountdownTaskLayout.Of);
    private readonly LayoutCache<WaitHandleLayout> _handles = all.Layouts((type, _) => WaitHandleLayout.Of(type));

    private readonly WaitFactList _facts = new();

    public WaitReason? Semaphore(HeapObject item)
    {
        if (_semaphores.Of(item) is not { } layout)
            return null;
        HeapObject head = item.At(layout.Head);
        var queue = WaiterQueue.Read(head, _nodes.Of(head) ?? new QueueNodeLayout(0, 0), isRing: false);
        return new(WaitKind.Semaphore, "SemaphoreSlim") { Resource = item.Address, Shared = SemaphoreWaits.StateOf(item, layout, queue) };
    }

    public WaitReason? Event(HeapObject item)
        => _events.Of(item) is { } layout && item.Int32(layout.State) is { } state
            ? Reason(item, "ManualResetEventSlim", new(WaitFactKey.Set, EventLayout.IsSet(state) ? 1 : 0), new(WaitFactKey.Waiting, EventLayout.Waiters(state)))
            : null;

    public WaitReason? Countdown(HeapObject item)
        => _countdowns.Of(item) is { } layout && item.Int32(layout.Initial) is { } initial && item.Int32(layout.Current) is { } current
            ? Reason(item, "CountdownEvent", new WaitFact(WaitFactKey.Missing, current) { Of = initial })
            : null;

    public WaitReason? Barrier(HeapObject item)
    {
        if (_barriers.Of(item) is not { } layout || item.Int32(layout.Counts) is not { } counts)
            return null;
        (int arrived, int participants) = BarrierLayout.Split(counts);
        WaitFact present = new(WaitFactKey.Arrived, arrived) { Of = participants };
        return item.Int64(layout.Phase) is { } phase ? Reason(item, "Barrier", present, new(WaitFactKey.Phase, phase)) : Reason(item, "Barrier", present);
    }

    public WaitReason? BlockingCollection(HeapObject item)
    {
        if (_collections.Of(item) is not { } layout || item.Int32(layout.Capacity) is not { } capacity)
            return null;
        HeapObject occupied = item.At(layout.Occupied);
        int? count = _semaphores.Of(occupied) is { } semaphore ? occupied.Int32(semaphore.Free) : null;
        if (count is { } number)
            _facts.Add(WaitFactKey.Items, number, of: capacity == BlockingCollectionLayout.NoCapacity ? null : capacity);
        if (item.Int32(layout.Adding) < 0)
            _facts.Add(WaitFactKey.Completed);
        return new(WaitKind.Channel, "BlockingCollection") { Resource = item.Address, Shared = _facts.Take() };
    }

    public WaitReason? WaitHandle(HeapObject item)
        => _handles.Of(item) is { } layout ? new(KindOf(layout.Name), layout.Name) { Resource = item.Address } : null;

    // The system's own locks and semaphores are wait handles, too.
    private static WaitKind KindOf(string handle) => handle switch
    {
        "Mutex" => WaitKind.Lock,
        "Semaphore" => WaitKind.Semaphore,
        _ => WaitKind.Event,
    };

    /// <summary>What Task.WaitAll has its tasks count down.</summary>
    public WaitReason? AllTasks(HeapObject item)
        => _allTasks.Of(item) is { } layout && item.Int32(layout.Count) is { } left
            ? new(WaitKind.Task, "Task.WaitAll") { Resource = item.Address, Shared = [new(WaitFactKey.TasksLeft, left)] }
            : null;

    private static WaitReason Reason(HeapObject item, string what, params ImmutableArray<WaitFact> facts) => new(WaitKind.Event, what) { Resource = item.Address, Shared = facts };
}
