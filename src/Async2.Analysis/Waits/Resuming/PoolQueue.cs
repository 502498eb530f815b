using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>What is queued to the thread pool, and whether a worker is free to take it.</summary>
internal sealed class PoolQueue
{
    private const int ItemLimit = 1_000_000;
    private const int SegmentLimit = 100_000;

    private readonly WaitReaderContext _all;
    private readonly WorkItems _items;
    private readonly LayoutCache<SegmentedLayout> _queues;
    private readonly LayoutCache<SegmentLayout> _segments;
    private readonly HashSet<ulong> _resumed = [];
    private readonly List<ulong> _found = [];

    /// <param name="all">The target's objects.</param>
    /// <param name="items">Follows what is queued to what it resumes.</param>
    public PoolQueue(WaitReaderContext all, WorkItems items)
    {
        _all = all;
        _items = items;
        _queues = all.Layouts(SegmentedLayout.Of);
        _segments = all.Layouts(SegmentLayout.Of);
        LayoutCache<PoolLayout> pools = all.Layouts(PoolLayout.Of);
        LayoutCache<PoolQueueLayout> shared = all.Layouts(PoolQueueLayout.Of);
        LayoutCache<StealingQueueLayout> own = all.Layouts(StealingQueueLayout.Of);
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (pools.Of(item) is { } pool && item.Int64(pool.Counts) is { } counts)
                (Running, Workers) = PoolLayout.Split(counts);
            else if (shared.Of(item) is { } layout)
                AddAll(layout.Queues.Select(item.At));
            else if (own.Of(item) is { } stealing)
                Add(item, stealing);
        }
    }

    /// <summary>Things that are queued.</summary>
    public long Count { get; private set; }

    /// <summary>Workers that run something.</summary>
    public int Running { get; private set; }

    /// <summary>All workers.</summary>
    public int Workers { get; private set; }

    /// <summary>Whether what is queued will resume an operation.</summary>
    public bool Resumes(ulong operation) => _resumed.Contains(operation);

    private void AddAll(IEnumerable<HeapObject> queues)
    {
        foreach (HeapObject queue in queues)
        {
            if (queue.Address == 0 || _queues.Of(queue) is not { } layout)
                continue;
            HeapObject segment = queue.At(layout.First);
            for (int i = 0; i < SegmentLimit && segment.Address != 0 && _segments.Of(segment) is { } fields; i++, segment = segment.At(fields.Next))
                AddSegment(segment, fields);
        }
    }

    private void AddSegment(HeapObject segment, SegmentLayout layout)
    {
        if (CollectionCount.OfSegment(segment, layout) is not { } count || segment.Int32(layout.Head) is not { } head)
            return;
        HeapObject slots = segment.At(layout.Slots);
        // A slot is an item and its number in sequence (ConcurrentQueueSegment<T>.Slot).
        int slot = 2 * _all.PointerSize;
        for (long i = 0; i < count && Count < ItemLimit && slots.Length() is > 0 and var length; i++)
            Add(slots.Reference(ArrayLayout.FirstElement(_all.Target.Memory) + ((int)((uint)(head + i) & (length - 1)) * slot)));
    }

    private void Add(HeapObject queue, StealingQueueLayout layout)
    {
        if (queue.Int32(layout.Head) is not { } head || queue.Int32(layout.Tail) is not { } tail || queue.Int32(layout.Mask) is not { } mask)
            return;
        HeapObject items = queue.At(layout.Items);
        if (items.Length() is not { } length || mask < 0 || mask >= length)
            return;
        for (long i = head; i < tail && i - head <= mask && Count < ItemLimit; i++)
            Add(items.Reference(ArrayLayout.FirstElement(_all.Target.Memory) + ((int)(i & mask) * _all.PointerSize)));
    }

    private void Add(ulong item)
    {
        if (item == 0)
            return;
        Count++;
        _found.Clear();
        _items.Resumed(item, _found);
        _resumed.UnionWith(_found);
    }
}
