using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Counts the items of the framework's own queues.</summary>
internal sealed class CollectionCount(WaitReaderContext all)
{
    private const int SegmentLimit = 100_000;

    private readonly LayoutCache<SizedLayout> _sized = all.Layouts(SizedLayout.Of);
    private readonly LayoutCache<SegmentedLayout> _segmented = all.Layouts(SegmentedLayout.Of);
    private readonly LayoutCache<SegmentLayout> _segments = all.Layouts(SegmentLayout.Of);

    /// <summary>Null for a collection that is not known, or is invalid.</summary>
    public long? Of(HeapObject collection)
    {
        if (_sized.Of(collection) is { } sized)
            return collection.Int32(sized.Size) is >= 0 and var size ? size : null;
        return _segmented.Of(collection) is { } queue ? OfSegments(collection.At(queue.First)) : null;
    }

    /// <summary>Items of one segment; null when its numbers are invalid.</summary>
    public static long? OfSegment(HeapObject segment, SegmentLayout layout)
    {
        HeapObject slots = segment.At(layout.Slots);
        if (slots.Address == 0 || slots.Length() is not { } length || segment.Int32(layout.Head) is not { } head || segment.Int32(layout.Tail) is not { } tail)
            return null;
        if (layout.Frozen is { } frozen && segment.Byte(frozen) is > 0)
            tail = unchecked(tail - (int)(2 * length));
        long count = layout.Frozen is null ? unchecked(tail - head) & (length - 1) : unchecked(tail - head);
        return count < 0 || count > length ? null : count;
    }

    private long? OfSegments(HeapObject segment)
    {
        long total = 0;
        for (int i = 0; i < SegmentLimit; i++)
        {
            if (segment.Address == 0)
                return total;
            if (_segments.Of(segment) is not { } layout || OfSegment(segment, layout) is not { } count)
                return null;
            total += count;
            segment = segment.At(layout.Next);
        }
        return null;
    }
}

/// <summary>A collection that knows its size: Deque, PriorityQueue, List.</summary>
/// <param name="Size">int.</param>
/// <param name="Items">Its array.</param>
internal sealed record SizedLayout(int Size, int Items)
{
    private static readonly string[] Arrays = ["_items", "_array", "_nodes"];

    public static SizedLayout? Of(ClrType type, int pointerSize)
        => FieldPath.Find(type, pointerSize, "_size") is { } size
            && Arrays.Select(name => FieldPath.Find(type, pointerSize, name)).FirstOrDefault(offset => offset is not null) is { } items
            ? new(size, items)
            : null;
}

/// <summary>A queue of linked segments: ConcurrentQueue, SingleProducerSingleConsumerQueue.</summary>
/// <param name="First">First segment.</param>
internal sealed record SegmentedLayout(int First)
{
    public static SegmentedLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Collections.Concurrent.", StringComparison.Ordinal) == true && FieldPath.Find(type, pointerSize, "_head") is { } first
            ? new(first)
            : null;
}

/// <summary>One segment: a ring of slots (ConcurrentQueueSegment.cs, SingleProducerSingleConsumerQueue.cs of .NET 10.0.12).</summary>
/// <param name="Slots">The array; its length is a power of two.</param>
/// <param name="Next">Next segment.</param>
/// <param name="Head">int, where the next item is taken; counts on and on.</param>
/// <param name="Tail">int, where the next item is put.</param>
/// <param name="Frozen">bool: no more is put here, and Tail says so by being twice the length too high; null for none.</param>
internal sealed record SegmentLayout(int Slots, int Next, int Head, int Tail, int? Frozen)
{
    public static SegmentLayout? Of(ClrType type, int pointerSize)
        => Named(type, pointerSize, "_slots", "_nextSegment", ["_headAndTail", "Head"], ["_headAndTail", "Tail"])
            ?? Named(type, pointerSize, "_array", "_next", ["_state", "_first"], ["_state", "_last"])
            ?? (FieldPath.IsOpen(type.GetFieldByName("_state")?.Type) ? Shared(type, pointerSize) : null);

    // Of reference types, ClrMD does not know the struct in which SingleProducerSingleConsumerQueue counts: padding, _first, a copy, padding, a copy, _last, padding. All but
    // the padding is an int, so the size of the whole tells the rest.
    private static SegmentLayout? Shared(ClrType type, int pointerSize)
    {
        if (FieldOffsets.Find(type, pointerSize, "_array", "_next", "_state") is not { } fields)
            return null;
        int padding = (((type.StaticSize - (4 * pointerSize) - (4 * sizeof(int))) / 3) & -sizeof(int));
        return padding <= 0 ? null : new(fields["_array"], fields["_next"], fields["_state"] + padding, fields["_state"] + (2 * padding) + (3 * sizeof(int)), null);
    }

    private static SegmentLayout? Named(ClrType type, int pointerSize, string slots, string next, string[] head, string[] tail)
        => FieldOffsets.Find(type, pointerSize, slots, next) is { } fields
            && FieldPath.Find(type, pointerSize, head) is { } first && FieldPath.Find(type, pointerSize, tail) is { } last
            ? new(fields[slots], fields[next], first, last, FieldPath.Find(type, pointerSize, "_frozenForEnqueues"))
            : null;
}
