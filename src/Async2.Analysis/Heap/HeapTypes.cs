using System.Collections.Concurrent;

namespace Async2.Analysis.Heap;

/// <summary>The types of a heap, by method table; each is asked for once. Any number of threads may ask.</summary>
/// <param name="describe">The type of a method table, null when there is none at that address. Never called by two threads at once.</param>
internal sealed class HeapTypes(Func<ulong, HeapType?> describe)
{
    private readonly ConcurrentDictionary<ulong, HeapType> _types = [];
    private readonly object _asking = new();

    /// <summary>The type of a method table that has been met before.</summary>
    public bool TryGetKnown(ulong methodTable, out HeapType type) => _types.TryGetValue(methodTable, out type);

    /// <summary>False when there is no type at that address.</summary>
    public bool TryGet(ulong methodTable, out HeapType type)
    {
        if (_types.TryGetValue(methodTable, out type))
            return true;
        lock (_asking)
        {
            if (_types.TryGetValue(methodTable, out type))
                return true;
            if (describe(methodTable) is not { } described)
                return false;
            type = _types[methodTable] = described;
            return true;
        }
    }
}
