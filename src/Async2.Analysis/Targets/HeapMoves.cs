using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>Tells whether a garbage collection came between the two looks at a running process: then hardly a chain is whole.</summary>
internal static class HeapMoves
{
    /// <summary>
    /// True when the heap was being collected at the first look, or when a segment of it is gone at the second, is of another
    /// generation, or has become shorter; allocating alone only makes segments longer and more.
    /// </summary>
    /// <param name="runtime">Reads the first look; its caches are emptied.</param>
    /// <param name="reader">Reads for the runtime.</param>
    /// <param name="second">What the second look saw differently.</param>
    public static bool Between(ClrRuntime runtime, GuardedReader reader, ChangedPages second)
    {
        try
        {
            if (!runtime.Heap.CanWalkHeap)
                return true;
            Dictionary<ulong, Extent> before = Segments(runtime);
            reader.SecondLook = second;
            runtime.FlushCachedData();
            return HasMoved(before, Segments(runtime));
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // ClrMD throws what it likes at structures that are of two moments.
            return true;
        }
        finally
        {
            reader.SecondLook = null;
            runtime.FlushCachedData();
        }
    }

    private static bool HasMoved(Dictionary<ulong, Extent> before, Dictionary<ulong, Extent> after)
        => before.Any(segment => !after.TryGetValue(segment.Key, out Extent now) || now.Kind != segment.Value.Kind || now.End < segment.Value.End);

    private static Dictionary<ulong, Extent> Segments(ClrRuntime runtime)
    {
        var all = new Dictionary<ulong, Extent>();
        foreach (ClrSegment segment in runtime.Heap.Segments)
            all[segment.Start] = new(segment.Kind, segment.End);
        return all;
    }

    private readonly record struct Extent(GCSegmentKind Kind, ulong End);
}
