using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

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
        // A slot has an item and its sequence number (ConcurrentQueueSegment<T>.Slot).
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

/// <summary><c>System.Threading.PortableThreadPool</c>: how many workers there are.</summary>
/// <param name="Counts">ulong of ThreadCounts: int16 each, workers that run something, workers, the goal.</param>
internal sealed record PoolLayout(int Counts)
{
    public const string TypeName = "System.Threading.PortableThreadPool";

    public static PoolLayout? Of(ClrType type, int pointerSize)
        => type.Name == TypeName && FieldPath.Find(type, pointerSize, "_separated", "counts", "_data") is { } counts ? new(counts) : null;

    public static (int Running, int Workers) Split(long counts) => ((short)counts, (short)(counts >> 16));
}

/// <summary><c>System.Threading.ThreadPoolWorkQueue</c>: what all workers take from.</summary>
/// <param name="Queues">ConcurrentQueues.</param>
internal sealed record PoolQueueLayout(IReadOnlyList<int> Queues)
{
    private static readonly string[] Fields = ["highPriorityWorkItems", "workItems", "lowPriorityWorkItems"];

    public static PoolQueueLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ThreadPoolWorkQueue"
            ? new([.. Fields.Select(name => FieldPath.Find(type, pointerSize, name)).OfType<int>()])
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
        => type.Name == "System.Threading.ThreadPoolWorkQueue+WorkStealingQueue"
            && FieldOffsets.Find(type, pointerSize, "m_array", "m_headIndex", "m_tailIndex", "m_mask") is { } f
            ? new(f["m_array"], f["m_headIndex"], f["m_tailIndex"], f["m_mask"])
            : null;
}
