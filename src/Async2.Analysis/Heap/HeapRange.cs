using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>
/// A stretch of the heap, <see cref="End"/> not included. A class, as all in this folder that there are few of: collections of structs
/// are compiled for each struct, at start-up, and take longer than the few objects.
/// </summary>
internal sealed record HeapRange(ulong Start, ulong End)
{
    public ulong Length => End - Start;

    /// <summary>Stretches of it that are walked, from an object to the end of one, by address; null for all of it.</summary>
    public IReadOnlyList<MemorySlice>? Parts { get; init; }

    /// <summary>Bytes that are walked.</summary>
    public ulong Walked => Parts is null ? Length : Parts.Aggregate(0ul, (sum, part) => sum + part.Length);
}
