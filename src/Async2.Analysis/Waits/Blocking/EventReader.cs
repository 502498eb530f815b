using System.Collections.Immutable;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>What has no owner: threads wait here until somebody else says so.</summary>
internal sealed class EventReader(WaitReaderContext all) : IWaitFamily<EventReader>
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

    public static EventReader Open(WaitReaderContext all) => new(all);

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind switch
    {
        BlockingKind.Semaphore => (item, _) => Semaphore(item),
        BlockingKind.Event => (item, _) => Event(item),
        BlockingKind.Countdown => (item, _) => Countdown(item),
        BlockingKind.Barrier => (item, _) => Barrier(item),
        BlockingKind.BlockingCollection => (item, _) => BlockingCollection(item),
        BlockingKind.WaitHandle => (item, _) => WaitHandle(item),
        BlockingKind.Task => (item, _) => AllTasks(item),
        _ => null,
    };

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
        if (item.Byte(layout.Disposed) is not (null or 0))
            _facts.Add(WaitFactKey.Disposed);
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

/// <summary><c>System.Threading.ManualResetEventSlim</c> (System.Private.CoreLib 10.0.12).</summary>
/// <param name="State">int: the highest bit says that it is set, the low bits count the waiters.</param>
internal sealed record EventLayout(int State)
{
    private const int WaiterMask = 0x7ffff;

    public static EventLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ManualResetEventSlim" && FieldPath.Find(type, pointerSize, "m_combinedState") is { } state ? new(state) : null;

    public static bool IsSet(int state) => state < 0;

    public static int Waiters(int state) => state & WaiterMask;
}

/// <summary><c>System.Threading.CountdownEvent</c>.</summary>
/// <param name="Initial">int.</param>
/// <param name="Current">int.</param>
internal sealed record CountdownLayout(int Initial, int Current)
{
    public static CountdownLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.CountdownEvent" && FieldOffsets.Find(type, pointerSize, "_initialCount", "_currentCount") is { } fields
            ? new(fields["_initialCount"], fields["_currentCount"])
            : null;
}

/// <summary><c>System.Threading.Barrier</c>.</summary>
/// <param name="Counts">int: sense in bit 31, who has arrived from bit 16 on, participants in the low bits.</param>
/// <param name="Phase">long.</param>
internal sealed record BarrierLayout(int Counts, int Phase)
{
    private const int Mask = 0x7fff;
    private const int ArrivedShift = 16;

    public static BarrierLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Barrier" && FieldOffsets.Find(type, pointerSize, "_currentTotalCount", "_currentPhase") is { } fields
            ? new(fields["_currentTotalCount"], fields["_currentPhase"])
            : null;

    public static (int Arrived, int Participants) Split(int counts) => ((counts >> ArrivedShift) & Mask, counts & Mask);
}

/// <summary><c>System.Collections.Concurrent.BlockingCollection</c>.</summary>
/// <param name="Capacity">int; -1 for none.</param>
/// <param name="Occupied">SemaphoreSlim that counts the items.</param>
/// <param name="Adding">int: the highest bit says that no more will be added.</param>
/// <param name="Disposed">bool: all its methods throw.</param>
internal sealed record BlockingCollectionLayout(int Capacity, int Occupied, int Adding, int Disposed)
{
    public const int NoCapacity = -1;

    public static BlockingCollectionLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Collections.Concurrent.BlockingCollection<", StringComparison.Ordinal) == true
            && FieldOffsets.Find(type, pointerSize, "_boundedCapacity", "_occupiedNodes", "_currentAdders", "_isDisposed") is { } fields
            ? new(fields["_boundedCapacity"], fields["_occupiedNodes"], fields["_currentAdders"], fields["_isDisposed"])
            : null;
}

/// <summary>Events, mutexes and semaphores of the operating system: what derives from <c>System.Threading.WaitHandle</c>.</summary>
/// <param name="Name">Its short type name.</param>
internal sealed record WaitHandleLayout(string Name)
{
    public static WaitHandleLayout? Of(ClrType type)
        => BaseTypes.Find(type, "System.Threading.WaitHandle") is not null && type.Name is { } name ? new(name.Split('.')[^1]) : null;
}
