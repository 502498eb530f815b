using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes.Heap;

/// <summary>
/// Parts of allocation contexts that nothing was allocated in yet: each thread has a piece of the heap to itself, and between what it
/// has used of it and its end there are no objects (coreclr, gc_alloc_context: alloc_ptr to alloc_limit).
/// </summary>
internal sealed class HeapGaps
{
    private readonly (ulong Start, ulong End)[] _gaps;

    /// <param name="contexts">Used up to, and end, of each.</param>
    /// <param name="pointerSize">Of the target.</param>
    public HeapGaps(IEnumerable<(ulong Used, ulong End)> contexts, int pointerSize)
    {
        // The end leaves room for the smallest object, which closes the context (coreclr, min_obj_size).
        ulong least = 3 * (ulong)pointerSize;
        _gaps = [.. contexts.Where(c => c.End >= c.Used && c.Used != 0 && c.End <= ulong.MaxValue - least)
            .Select(c => (c.Used, c.End + least)).OrderBy(gap => gap.Used)];
    }

    public static HeapGaps Of(ClrHeap heap, int pointerSize)
        => new(heap.EnumerateAllocationContexts().Select(c => (c.Start, c.End)), pointerSize);

    /// <summary>Where the objects from an address on end: at the first gap that begins there or behind it, or at an end.</summary>
    public ulong EndOfObjects(ulong address, ulong end)
    {
        foreach ((ulong start, _) in _gaps)
        {
            if (start >= address)
                return Math.Min(start, end);
        }
        return end;
    }

    /// <summary>Where objects go on behind a gap that begins at an address; the address itself when none does.</summary>
    public ulong Skip(ulong address, ulong end)
    {
        foreach ((ulong start, ulong limit) in _gaps)
        {
            if (start == address)
                return Math.Min(limit, end);
        }
        return address;
    }
}
