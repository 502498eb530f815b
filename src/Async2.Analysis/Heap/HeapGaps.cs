using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Heap;

/// <summary>
/// Parts of allocation contexts that nothing was allocated in yet: each thread has a piece of the heap to itself, and between what it
/// has used of it and its end there are no objects (coreclr, gc_alloc_context: alloc_ptr to alloc_limit).
/// </summary>
internal sealed class HeapGaps
{
    private readonly HeapRange[] _gaps;

    /// <param name="contexts">What is unused of each.</param>
    /// <param name="pointerSize">Of the target.</param>
    public HeapGaps(IEnumerable<HeapRange> contexts, int pointerSize)
    {
        // The end leaves room for the smallest object, which closes the context (coreclr, min_obj_size).
        ulong least = 3 * (ulong)pointerSize;
        var gaps = new List<HeapRange>();
        foreach (HeapRange context in contexts)
        {
            if (context.End >= context.Start && context.Start != 0 && context.End <= ulong.MaxValue - least)
                gaps.Add(new(context.Start, context.End + least));
        }
        gaps.Sort((a, b) => a.Start.CompareTo(b.Start));
        _gaps = [.. gaps];
    }

    public static HeapGaps Of(ClrHeap heap, int pointerSize)
    {
        var contexts = new List<HeapRange>();
        foreach (MemoryRange context in heap.EnumerateAllocationContexts())
            contexts.Add(new(context.Start, context.End));
        // One context is the runtime's own.
        return new(contexts, pointerSize) { Exhausted = Math.Max(0, heap.Runtime.Threads.Length + 1 - contexts.Count) };
    }

    /// <summary>How many contexts there may be besides, used up to their end: ClrMD leaves them out.</summary>
    public int Exhausted { get; private init; }

    /// <summary>Where the objects from an address on end: at the first gap that begins there or behind it, or at an end.</summary>
    public ulong EndOfObjects(ulong address, ulong end)
    {
        foreach (HeapRange gap in _gaps)
        {
            if (gap.Start >= address)
                return Math.Min(gap.Start, end);
        }
        return end;
    }

    /// <summary>Where objects go on behind a gap that begins at an address; the address itself when none does.</summary>
    public ulong Skip(ulong address, ulong end)
    {
        foreach (HeapRange gap in _gaps)
        {
            if (gap.Start == address)
                return Math.Min(gap.End, end);
        }
        return address;
    }
}
