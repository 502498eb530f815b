using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Bytes that a suspension block copies from the method's frame into the arrays of its continuation.</summary>
/// <param name="Source">Their original place.</param>
/// <param name="Size">Number of bytes.</param>
/// <param name="InGCData">Into <c>Continuation.GCData</c>, else into <c>Continuation.Data</c>.</param>
/// <param name="Offset">From the first element of the array, in bytes.</param>
internal readonly record struct SavedRange(NativePlace Source, int Size, bool InGCData, int Offset);

/// <summary>A part of a variable, and where it was saved.</summary>
/// <param name="At">First byte within the variable.</param>
internal readonly record struct SavedPiece(int At, int Size, bool InGCData, int Offset);

/// <summary>
/// What one suspension block saves. A struct may be split: its references go to GCData one by one, and the rest to Data.
/// </summary>
internal sealed class SaveMap(ImmutableArray<SavedRange> ranges)
{
    public static SaveMap Empty { get; } = new([]);

    public ImmutableArray<SavedRange> Ranges => ranges;

    /// <summary>The saved parts of a variable at a place; empty if nothing of it was saved.</summary>
    /// <param name="place">Place of the variable in the method.</param>
    /// <param name="size">Bytes of the variable.</param>
    public IEnumerable<SavedPiece> PiecesOf(NativePlace place, int size)
    {
        foreach (SavedRange range in ranges)
        {
            if (!range.Source.HasBaseOf(place))
                continue;
            // 64 bits: offsets come from the target.
            long distance = (long)range.Source.Offset - place.Offset;
            long first = Math.Max(0, distance), end = Math.Min(size, distance + range.Size);
            if (first < end)
                yield return new((int)first, (int)(end - first), range.InGCData, (int)(range.Offset + first - distance));
        }
    }
}
