using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
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

    public WaitFacts? Semaphore(HeapObject item)
    {
        if (_semaphores.Of(item) is not { } layout)
            return null;
        HeapObject head = item.At(layout.Head);
        var queue = WaiterQueue.Read(head, _nodes.Of(head) ?? new QueueNodeLayout(0, 0), isRing: false);
        return new(WaitFamily.Semaphore, "SemaphoreSlim", SemaphoreWaits.StateOf(item, layout, queue), null, item.Address);
    }

    public WaitFacts? Event(HeapObject item)
        => _events.Of(item) is { } layout && item.Int32(layout.State) is { } state
            ? Facts(item, "ManualResetEventSlim", $"{(EventLayout.IsSet(state) ? "set" : "not set")}, {EventLayout.Waiters(state)} waiting")
            : null;

    public WaitFacts? Countdown(HeapObject item)
        => _countdowns.Of(item) is { } layout && item.Int32(layout.Initial) is { } initial && item.Int32(layout.Current) is { } current
            ? Facts(item, "CountdownEvent", FormattableString.Invariant($"{current} of {initial} missing"))
            : null;

    public WaitFacts? Barrier(HeapObject item)
    {
        if (_barriers.Of(item) is not { } layout || item.Int32(layout.Counts) is not { } counts)
            return null;
        (int arrived, int participants) = BarrierLayout.Split(counts);
        string? phase = item.Int64(layout.Phase) is { } number ? FormattableString.Invariant($"phase {number}") : null;
        return Facts(item, "Barrier", WaitText.Join(FormattableString.Invariant($"{arrived} of {participants} arrived"), phase));
    }

    public WaitFacts? BlockingCollection(HeapObject item)
    {
        if (_collections.Of(item) is not { } layout || item.Int32(layout.Capacity) is not { } capacity)
            return null;
        HeapObject occupied = item.At(layout.Occupied);
        int? count = _semaphores.Of(occupied) is { } semaphore ? occupied.Int32(semaphore.Free) : null;
        string? items = count is not { } number ? null
            : capacity == BlockingCollectionLayout.NoCapacity ? WaitText.Count(number, "item")
            : FormattableString.Invariant($"{number} of {capacity} items");
        return Facts(item, "BlockingCollection", WaitText.Join(items, item.Int32(layout.Adding) < 0 ? "completed" : null)) with { Family = WaitFamily.Channel };
    }

    public WaitFacts? WaitHandle(HeapObject item)
        => _handles.Of(item) is { } layout ? Facts(item, layout.Name, null) with { Family = FamilyOf(layout.Name) } : null;

    // The system's own locks and semaphores are wait handles, too.
    private static WaitFamily FamilyOf(string handle) => handle switch
    {
        "Mutex" => WaitFamily.Lock,
        "Semaphore" => WaitFamily.Semaphore,
        _ => WaitFamily.Event,
    };


    /// <summary>What Task.WaitAll has its tasks count down.</summary>
    public WaitFacts? AllTasks(HeapObject item)
        => _allTasks.Of(item) is { } layout && item.Int32(layout.Count) is { } left
            ? new(WaitFamily.Task, "Task.WaitAll", WaitText.Count(left, "task") + " left", null, item.Address)
            : null;

    private static WaitFacts Facts(HeapObject item, string what, string? state) => new(WaitFamily.Event, what, state, null, item.Address);
}
