using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>
/// Where the references in objects of a type are, from the series that the collector itself goes by: they stand in front of the
/// method table, whatever metadata the type has or lacks (64-bit coreclr 10.0.12, src/coreclr/gc/gcdesc.h).
/// </summary>
internal sealed class ReferenceMap
{
    // MethodTable: m_dwFlags, then m_BaseSize, which counts the word in front of an object.
    private const ulong BaseSize = 4;
    private const uint ContainsReferences = 0x01000000;
    private const int SeriesLimit = 4096;
    private const int SizeLimit = 1 << 20;
    private const int Word = sizeof(ulong);

    private ReferenceMap(int size, int[] offsets) => (Size, Offsets) = (size, offsets);

    /// <summary>Knows nothing of a type.</summary>
    public static ReferenceMap None { get; } = new(0, []);

    /// <summary>Bytes of an object from its address; 0 if that is invalid.</summary>
    public int Size { get; }

    /// <summary>Offsets of references from the object's address, ascending.</summary>
    public IReadOnlyList<int> Offsets { get; }

    /// <summary>Of a type without components; empty where the series are invalid.</summary>
    public static ReferenceMap Of(TargetMemory memory, ulong methodTable)
    {
        if (memory.PointerSize != Word || !memory.TryReadUInt32(methodTable, out uint flags)
            || !memory.TryReadUInt32(methodTable + BaseSize, out uint baseSize) || baseSize is < 3 * Word or > SizeLimit || baseSize % Word != 0)
            return None;
        int size = (int)baseSize - Word;
        if ((flags & ContainsReferences) == 0)
            return new(size, []);
        // Negative: the type is an array of structs.
        if (!memory.TryReadPointer(methodTable - Word, out ulong series) || series is 0 or > SeriesLimit)
            return new(size, []);
        var offsets = new SortedSet<int>();
        for (ulong i = 0; i < series; i++)
        {
            ulong at = methodTable - Word - ((i + 1) * 2 * Word);
            if (!memory.TryReadPointer(at, out ulong length) || !memory.TryReadPointer(at + Word, out ulong start)
                || !Add(offsets, start, unchecked(length + baseSize), size))
                return new(size, []);
        }
        return new(size, [.. offsets]);
    }

    /// <summary>Of an array's type: true when its elements are references, false when they are structs that hold some, null if there are none.</summary>
    public static bool? AreElementsReferences(TargetMemory memory, ulong methodTable)
        => memory.PointerSize != Word || !memory.TryReadUInt32(methodTable, out uint flags) || (flags & ContainsReferences) == 0
            || !memory.TryReadPointer(methodTable - Word, out ulong series) || series == 0 ? null : (long)series > 0;

    // The length of a series is stored minus the size of the object.
    private static bool Add(SortedSet<int> offsets, ulong start, ulong length, int size)
    {
        if (start % Word != 0 || length % Word != 0 || start < Word || start > (ulong)size || length > (ulong)size - start)
            return false;
        for (ulong offset = start; offset < start + length; offset += Word)
            offsets.Add((int)offset);
        return true;
    }
}
