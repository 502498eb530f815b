namespace Async2.Analysis.Reachability;

/// <summary>
/// A segment of the target's heap in this process, with a byte for each place at which an object may begin: whether it was reached, and whether
/// somebody wants to know who reaches it.
/// </summary>
internal sealed unsafe class MarkSegment(ulong start, ulong length, byte* bytes, byte* marks)
{
    /// <summary>Objects begin at multiples of this (coreclr, DATA_ALIGNMENT on 64-bit).</summary>
    public const int Alignment = 8;

    /// <summary>The smallest object has three words: no two of them begin in the same two.</summary>
    public const int PlaceBits = 4;

    /// <summary>Bit of a mark: a root leads to it.</summary>
    public const byte Reached = 1;

    /// <summary>Bit of a mark: somebody wants to know who refers to it.</summary>
    public const byte Watched = 2;

    /// <summary>Bit of a mark: what lies there waits, and is not followed before its wait has ended.</summary>
    public const byte Held = 4;

    /// <summary>Bits of an object's first word that a collector sets (coreclr, object.h).</summary>
    public const ulong MethodTableBits = 7;

    /// <summary>Its first address.</summary>
    public readonly ulong Start = start;

    /// <summary>Bytes.</summary>
    public readonly ulong Length = length;

    /// <summary>Where it lies in this process.</summary>
    public readonly byte* Bytes = bytes;

    /// <summary>Its marks, of each two words one.</summary>
    public readonly byte* Marks = marks;

    public ulong End => Start + Length;

    /// <summary>Bytes of the marks of a segment, whole words.</summary>
    /// <param name="length">Bytes of the segment.</param>
    public static nuint BytesOfMarks(ulong length) => ((nuint)(length >> PlaceBits) + sizeof(int)) & ~(nuint)(sizeof(int) - 1);

    /// <summary>Sets the mark of something that was reached; false if it was reached before. Of several threads exactly one is the first.</summary>
    public static bool IsFirst(byte* mark)
    {
        int shift = (int)((nuint)mark & (sizeof(int) - 1)) * 8;
        return (Interlocked.Or(ref *(int*)((nuint)mark & ~(nuint)(sizeof(int) - 1)), Reached << shift) & (Reached << shift)) == 0;
    }

    /// <summary>
    /// The mark of a place. Two threads that set it at once may both think that they are the first: an object is followed twice then, which
    /// reaches nothing else and costs less than a lock for each object.
    /// </summary>
    public byte* MarkOf(ulong offset) => Marks + (offset >> PlaceBits);

    /// <summary>All marks, to keep them.</summary>
    public byte[] Copy() => All.ToArray();

    /// <summary>Puts marks back.</summary>
    public void Restore(byte[] kept) => kept.CopyTo(All);

    private Span<byte> All => new(Marks, checked((int)BytesOfMarks(Length)));
}
