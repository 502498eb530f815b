namespace Async2.Analysis.Heap;

/// <summary>
/// A stretch of the heap, <see cref="End"/> not included. A class, as all in this folder that there are few of: collections of structs
/// are compiled for each struct, at start-up, and take longer than the few objects.
/// </summary>
internal sealed record HeapRange(ulong Start, ulong End)
{
    public ulong Length => End - Start;
}
