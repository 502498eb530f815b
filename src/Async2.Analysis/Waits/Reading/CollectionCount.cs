using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Counts the items of the framework's own queues.</summary>
internal sealed class CollectionCount(WaitReaderContext all)
{
    private const int SegmentLimit = 100_000;

    private readonly LayoutCache<SizedLayout> _sized = all.Layouts(SizedLayout.Of);
    private readonly LayoutCache<SegmentedLayout> _segmented = all.Layouts(SegmentedLayout.Of);
    private readonly LayoutCache<SegmentLayout> _segments = all.Layouts(SegmentLayout.Of);

    /// <summary>Null for a collection that is not known, or makes no sense.</summary>
    public long? Of(HeapObject collection)
    {
        if (_sized.Of(collection) is { } sized)
            return collection.Int32(sized.Size) is >= 0 and var size ? size : null;
        return _segmented.Of(collection) is { } queue ? OfSegments(collection.At(queue.First)) : null;
    }

    /// <summary>Items of one segment; null when its numbers make no sense.</summary>
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
