using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Surveys;

/// <summary>
/// Where the collector keeps a bit for each 16 bytes of old objects, to collect in the background: memory that grows with the heap and that nobody else
/// reads. Found by what stands in front of the collector's card table (<c>card_table_info</c>, coreclr 8 to 10, src/coreclr/gc/gcpriv.h).
/// </summary>
internal static class MarkBits
{
    // A card is a bit for 256 bytes, a mark one for 16.
    private const ulong BytesPerByteOfCards = 2048;
    private const ulong BytesPerByteOfMarks = 128;
    private const ulong PageMask = ~(PageMap.PageSize - 1);

    /// <param name="target">The process.</param>
    /// <param name="segments">The segments whose marks are meant, by address.</param>
    /// <param name="seenAt">How often garbage had been collected.</param>
    /// <returns>None where that memory is not as it is in any runtime that is known.</returns>
    public static IEnumerable<OldSegment> Of(Target target, IReadOnlyList<OldSegment> segments, Collections seenAt)
    {
        foreach (ClrSubHeap heap in target.Runtime.Heap.SubHeaps.DistinctBy(heap => heap.CardTable))
        {
            if (InfoOf(heap, target.Memory) is not { } info)
                continue;
            ulong start = 0, end = 0;
            foreach (OldSegment segment in segments.Where(segment => info.Lowest <= segment.Start && segment.End <= info.Highest))
            {
                if (segment.Start != end && Marks(info, start, end, seenAt) is { } before)
                    yield return before;
                (start, end) = (segment.Start == end ? start : segment.Start, segment.End);
            }
            if (Marks(info, start, end, seenAt) is { } last)
                yield return last;
        }
    }

    private static Info? InfoOf(ClrSubHeap heap, TargetMemory memory)
    {
        // The pointer is such that an address divided by what a byte stands for can be added to it.
        ulong cards = heap.CardTable + (heap.LowestAddress / BytesPerByteOfCards);
        Span<Info> info = stackalloc Info[1];
        return memory.TryRead(cards - (ulong)Marshal.SizeOf<Info>(), MemoryMarshal.AsBytes(info)) && info[0] is { Marks: > 0 } found && found.Lowest == heap.LowestAddress && found.Highest == heap.HighestAddress
            ? found : null;
    }

    private static OldSegment? Marks(in Info info, ulong start, ulong end, in Collections seenAt)
    {
        if (start >= end)
            return null;
        ulong first = (info.Marks + ((start - info.Lowest) / BytesPerByteOfMarks) + PageMap.PageSize - 1) & PageMask, last = (info.Marks + ((end - info.Lowest) / BytesPerByteOfMarks)) & PageMask;
        return first < last ? new(first, last, seenAt) : null;
    }

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Info
    {
        private readonly ulong _recount, _size, _next;

        /// <summary>The first address that the tables are about.</summary>
        public readonly ulong Lowest;

        /// <summary>Behind the last.</summary>
        public readonly ulong Highest;

        private readonly ulong _bricks, _bundles;

        /// <summary>The mark of the first address.</summary>
        public readonly ulong Marks;
    }
}
