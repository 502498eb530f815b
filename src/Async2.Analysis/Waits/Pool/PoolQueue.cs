using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Pool;

/// <summary>What is queued to the thread pool, by name, and which operations it will resume.</summary>
internal sealed class PoolQueue
{
    private const int ItemLimit = 1_000_000;
    private const int SegmentLimit = 100_000;

    private readonly WaitReaderContext _all;
    private readonly WorkItems _items;
    private readonly Func<ulong, bool> _isOperation;
    private readonly QueuedNames _names;
    private readonly LayoutCache<SegmentedLayout> _queues;
    private readonly LayoutCache<SegmentLayout> _segments;
    private readonly HashSet<ulong> _resumed = [];
    private readonly Dictionary<(QueuedWorkKind Kind, string Name), long> _counts = [];
    private readonly List<ulong> _operations = [];
    private readonly HashSet<ulong> _timers = [];
    private readonly List<ulong> _found = [];
    private readonly HashSet<ulong> _seen = [];
    private long _read;

    /// <param name="all">The target's objects.</param>
    /// <param name="objects">The pool's.</param>
    /// <param name="items">Follows what is queued to what it resumes.</param>
    /// <param name="isOperation">Whether an async method stands at an address.</param>
    public PoolQueue(WaitReaderContext all, PoolObjects objects, WorkItems items, Func<ulong, bool> isOperation)
    {
        (_all, _items, _isOperation) = (all, items, isOperation);
        _names = new QueuedNames(all);
        _queues = all.Layouts(SegmentedLayout.Of);
        _segments = all.Layouts(SegmentLayout.Of);
        LayoutCache<PoolQueueLayout> shared = all.Layouts(PoolQueueLayout.Of);
        LayoutCache<StealingQueueLayout> own = all.Layouts(StealingQueueLayout.Of);
        foreach (HeapObject queue in objects.Of(PoolPart.SharedQueue))
        {
            if (shared.Of(queue) is not { } layout)
                continue;
            HighPriority += Counted(() => AddAll(queue.At(layout.HighPriority)));
            Global += Counted(() => AddGlobal(queue, layout));
        }
        foreach (HeapObject queue in objects.Of(PoolPart.OwnQueue))
        {
            if (own.Of(queue) is { } layout)
                Local += Counted(() => Add(queue, layout));
        }
    }

    /// <summary>Things that are queued.</summary>
    public long Count { get; private set; }

    /// <summary>False if there are so many that not all were read.</summary>
    public bool IsWhole => _read < ItemLimit && _seen.Count < SegmentLimit;

    public long HighPriority { get; }

    public long Global { get; }

    public long Local { get; }

    /// <summary>Names of what is queued, with counts, except operations.</summary>
    public IReadOnlyDictionary<(QueuedWorkKind Kind, string Name), long> Counts => _counts;

    /// <summary>Operations that items will resume, in the order of the queues.</summary>
    public IReadOnlyList<ulong> Operations => _operations;

    /// <summary>Whether what is queued will resume an operation.</summary>
    public bool Resumes(ulong operation) => _resumed.Contains(operation);

    /// <summary>Whether timers have fired that no worker has come to.</summary>
    public bool HasFired(ulong timers) => _timers.Contains(timers);

    private long Counted(Action add)
    {
        long before = Count;
        add();
        return Count - before;
    }

    private void AddGlobal(HeapObject queue, PoolQueueLayout layout)
    {
        foreach (int field in layout.Queues)
            AddAll(queue.At(field));
        // Above 32 processors, workers share several.
        if (layout.Assignable is { } assignable && queue.At(assignable) is { Address: not 0 } several)
        {
            foreach (ulong address in ArrayLayout.ReadReferences(_all.Target.Memory, several.Address, SegmentLimit))
                AddAll(_all.At(address));
        }
    }

    private void AddAll(HeapObject queue)
    {
        if (queue.Address == 0 || _queues.Of(queue) is not { } layout)
            return;
        // In a damaged queue a segment may lead back to one before it.
        HeapObject segment = queue.At(layout.First);
        for (; segment.Address != 0 && _segments.Of(segment) is { } fields && _seen.Count < SegmentLimit && _seen.Add(segment.Address); segment = segment.At(fields.Next))
            AddSegment(segment, fields);
    }

    private void AddSegment(HeapObject segment, SegmentLayout layout)
    {
        if (CollectionCount.OfSegment(segment, layout) is not { } count || segment.Int32(layout.Head) is not { } head)
            return;
        HeapObject slots = segment.At(layout.Slots);
        if (slots.Length() is not (> 0 and var length))
            return;
        // A slot has an item and its sequence number (ConcurrentQueueSegment<T>.Slot).
        int first = ArrayLayout.FirstElement(_all.Target.Memory), slot = 2 * _all.PointerSize;
        for (long i = 0; i < count && _read < ItemLimit; i++)
            Add(slots.Reference(first + ((int)((uint)(head + i) & (length - 1)) * slot)));
    }

    private void Add(HeapObject queue, StealingQueueLayout layout)
    {
        if (queue.Int32(layout.Head) is not { } head || queue.Int32(layout.Tail) is not { } tail || queue.Int32(layout.Mask) is not { } mask)
            return;
        HeapObject items = queue.At(layout.Items);
        if (items.Length() is not { } length || mask < 0 || mask >= length)
            return;
        for (long i = head; i < tail && i - head <= mask && _read < ItemLimit; i++)
            Add(items.Reference(ArrayLayout.FirstElement(_all.Target.Memory) + ((int)(i & mask) * _all.PointerSize)));
    }

    private void Add(ulong item)
    {
        _read++;
        if (item == 0)
            return;
        Count++;
        _found.Clear();
        _items.Resumed(item, _found);
        _resumed.UnionWith(_found);
        if (_found.Find(found => _isOperation(found)) is not 0 and var operation)
        {
            _operations.Add(operation);
            return;
        }
        (QueuedWorkKind Kind, string Name) named = _names.Of(_all.At(item));
        if (named.Kind == QueuedWorkKind.Timers)
            _timers.Add(item);
        _counts[named] = _counts.GetValueOrDefault(named) + 1;
    }
}

/// <summary><c>System.Threading.ThreadPoolWorkQueue</c>: what all workers take from.</summary>
/// <param name="HighPriority">ConcurrentQueue.</param>
/// <param name="Queues">The other ConcurrentQueues.</param>
/// <param name="Assignable">ConcurrentQueue[], with more than 32 processors; null if this runtime has none.</param>
internal sealed record PoolQueueLayout(int HighPriority, IReadOnlyList<int> Queues, int? Assignable)
{
    private static readonly string[] Fields = ["workItems", "lowPriorityWorkItems"];

    public static PoolQueueLayout? Of(ClrType type, int pointerSize)
        => PoolTypeLayout.PartOf(type) == PoolPart.SharedQueue && FieldPath.Find(type, pointerSize, "highPriorityWorkItems") is { } high
            ? new(high, [.. Fields.Select(name => FieldPath.Find(type, pointerSize, name)).OfType<int>()], FieldPath.Find(type, pointerSize, "_assignableWorkItemQueues"))
            : null;
}

/// <summary><c>ThreadPoolWorkQueue.WorkStealingQueue</c>: what one worker has queued for itself. Item i is at <c>i &amp; m_mask</c>.</summary>
/// <param name="Items">object[].</param>
/// <param name="Head">int.</param>
/// <param name="Tail">int.</param>
/// <param name="Mask">int.</param>
internal sealed record StealingQueueLayout(int Items, int Head, int Tail, int Mask)
{
    public static StealingQueueLayout? Of(ClrType type, int pointerSize)
        => PoolTypeLayout.PartOf(type) == PoolPart.OwnQueue
            && FieldOffsets.Find(type, pointerSize, "m_array", "m_headIndex", "m_tailIndex", "m_mask") is { } f
            ? new(f["m_array"], f["m_headIndex"], f["m_tailIndex"], f["m_mask"])
            : null;
}
