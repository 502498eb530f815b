using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Copying;

/// <summary>Detects copies of a heap during a collection: it cannot be walked, and in a running process hardly any chain is complete.</summary>
internal static class HeapMoves
{
    /// <summary>Whether a copy was made during a collection.</summary>
    public static bool In(ProcessCopy copy, ClrRuntime runtime, GuardedReader reader)
        => copy.Changed is { } second ? Between(runtime, reader, second) : !runtime.Heap.CanWalkHeap || runtime.Threads.Any(thread => thread.IsGc);

    /// <summary>
    /// True if the heap was being collected at the first copy, or if its segments show a collection before the second: allocation
    /// alone adds segments of generation 0 and extends them, and those of generations 1 and 2 do not change.
    /// </summary>
    /// <param name="runtime">Reads the first copy; its caches are cleared.</param>
    /// <param name="reader">Reads for the runtime.</param>
    /// <param name="second">The differences of the second copy.</param>
    private static bool Between(ClrRuntime runtime, GuardedReader reader, ChangedPages second)
    {
        try
        {
            if (!runtime.Heap.CanWalkHeap)
                return true;
            Dictionary<ulong, Extent> before = Segments(runtime);
            reader.SecondCopy = second;
            runtime.FlushCachedData();
            return HasMoved(before, Segments(runtime));
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // ClrMD may throw anything for structures of two moments.
            return true;
        }
        finally
        {
            reader.SecondCopy = null;
            runtime.FlushCachedData();
        }
    }

    private static bool HasMoved(Dictionary<ulong, Extent> before, Dictionary<ulong, Extent> after)
        => before.Any(segment => !after.TryGetValue(segment.Key, out Extent now) || HasMoved(segment.Value, now))
            || after.Any(segment => IsOld(segment.Value) && !before.ContainsKey(segment.Key));

    private static bool HasMoved(Extent before, Extent after)
        => after.Kind != before.Kind || after.Youngest != before.Youngest || after.End < before.End || (IsOld(before) && after.End != before.End);

    private static bool IsOld(Extent segment) => segment.Kind is GCSegmentKind.Generation1 or GCSegmentKind.Generation2;

    private static Dictionary<ulong, Extent> Segments(ClrRuntime runtime)
    {
        var all = new Dictionary<ulong, Extent>();
        foreach (ClrSegment segment in runtime.Heap.Segments)
            all[segment.Start] = new(segment.Kind, segment.Generation0.Start, segment.End);
        return all;
    }

    /// <summary>A segment, with the start of generation 0 in it.</summary>
    private readonly record struct Extent(GCSegmentKind Kind, ulong Youngest, ulong End);
}
