using Async2.Analysis.Targets;

namespace Async2.Analysis.Reachability;

/// <summary>Which object an address lies in, as the heap says that is walked from one object to the next: old values point at anything.</summary>
internal sealed class HeapObjects(Target target, MarkHeap heap)
{
    /// <summary>The object's address; 0 where there is none.</summary>
    public ulong At(ulong address)
    {
        // Behind memory that a thread has taken for an object and not written yet, the walk goes on only if it is asked to.
        const bool carefully = true;
        return heap.Find(address) is not null && target.Runtime.Heap.FindPreviousObjectOnSegment((address & ~7UL) + sizeof(ulong), carefully) is { IsValid: true, IsFree: false } item
            && item.Address + item.Size > address ? item.Address : 0;
    }
}
