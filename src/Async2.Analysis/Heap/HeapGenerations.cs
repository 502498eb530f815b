using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Heap;

/// <summary>Which part of the heap is which generation: a few ranges for all objects, instead of a number for each.</summary>
internal static class HeapGenerations
{
    /// <summary>By address. Objects of the frozen heap are in none.</summary>
    public static IReadOnlyList<GenerationRange> Of(Target target)
    {
        var ranges = new List<GenerationRange>();
        foreach (ClrSegment segment in target.Runtime.Heap.Segments)
        {
            switch (segment.Kind)
            {
                case GCSegmentKind.Ephemeral:
                    Add(ranges, segment.Generation0, 0);
                    Add(ranges, segment.Generation1, 1);
                    Add(ranges, segment.Generation2, 2);
                    break;
                case GCSegmentKind.Generation0:
                    Add(ranges, segment.ObjectRange, 0);
                    break;
                case GCSegmentKind.Generation1:
                    Add(ranges, segment.ObjectRange, 1);
                    break;
                // The collector takes large and pinned objects with the oldest.
                case GCSegmentKind.Generation2 or GCSegmentKind.Large or GCSegmentKind.Pinned:
                    Add(ranges, segment.ObjectRange, 2);
                    break;
            }
        }
        return [.. ranges.OrderBy(range => range.Start)];
    }

    private static void Add(List<GenerationRange> ranges, MemoryRange range, byte generation)
    {
        if (range.End > range.Start)
            ranges.Add(new(range.Start, range.End, generation));
    }
}
