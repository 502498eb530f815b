using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>The async objects of a heap in columns, in address order, with lookup by address.</summary>
internal sealed class HeapIndex
{
    private readonly ContinuationRow[] _continuations;
    private readonly NodeRow[] _nodes;
    private readonly PromiseRow[] _combinators;
    private readonly PromiseRow[] _promises;
    private readonly Dictionary<ulong, ulong> _aliases = [];

    /// <param name="layout">Where the fields of these objects are.</param>
    /// <param name="continuations">In any order.</param>
    /// <param name="nodes">In any order; the array is kept.</param>
    /// <param name="combinators">Tasks that wait for several others.</param>
    /// <param name="promises">Other pending tasks that somebody waits for.</param>
    /// <param name="complete">False when a part of the heap could not be walked.</param>
    public HeapIndex(RuntimeLayout layout, ContinuationRow[] continuations, NodeRow[] nodes, PromiseRow[] combinators, PromiseRow[] promises, bool complete)
    {
        Array.Sort(continuations, (a, b) => a.Address.CompareTo(b.Address));
        Array.Sort(nodes, (a, b) => a.Address.CompareTo(b.Address));
        Array.Sort(combinators, (a, b) => a.Address.CompareTo(b.Address));
        Layout = layout;
        _continuations = continuations;
        _nodes = nodes;
        _combinators = combinators;
        _promises = promises;
        Complete = complete;
    }

    /// <summary>Where the fields of these objects are.</summary>
    public RuntimeLayout Layout { get; }

    public ReadOnlySpan<ContinuationRow> Continuations => _continuations;

    /// <summary>Pending operations with frames. Completed ones are left out: their chains are garbage.</summary>
    public ReadOnlySpan<NodeRow> Nodes => _nodes;

    /// <summary>Pending WhenAll, WhenAny and the like.</summary>
    public ReadOnlySpan<PromiseRow> Combinators => _combinators;

    /// <summary>Other pending tasks that somebody waits for; empty when there are no combinators, which alone need them.</summary>
    public ReadOnlySpan<PromiseRow> Promises => _promises;

    /// <summary>Semaphores, channels, events: what is waited for without being pointed to by who waits.</summary>
    public IReadOnlyList<ulong> Resources { get; init; } = [];

    /// <summary>False when a part of the heap could not be walked.</summary>
    public bool Complete { get; }

    /// <summary>Lets a node be found by a second address: an async iterator is awaited by its machine, not by its box.</summary>
    public void AddAlias(ulong alias, ulong node) => _aliases[alias] = node;

    /// <summary>Index of the continuation at an address; -1 when there is none.</summary>
    /// <param name="address">The object.</param>
    /// <param name="near">Index of the one that pointed here: chains are mostly allocated in a row, so neighbours come first.</param>
    public int FindContinuation(ulong address, int near = -1)
    {
        if (near >= 0)
        {
            if (near + 1 < _continuations.Length && _continuations[near + 1].Address == address)
                return near + 1;
            if (near > 0 && _continuations[near - 1].Address == address)
                return near - 1;
        }
        return Search(_continuations, address, static row => row.Address);
    }

    /// <summary>Index of the pending operation at an address; -1 when there is none.</summary>
    public int FindNode(ulong address)
    {
        int found = Search(_nodes, address, static row => row.Address);
        return found < 0 && _aliases.TryGetValue(address, out ulong node) ? Search(_nodes, node, static row => row.Address) : found;
    }

    /// <summary>Index of the combinator at an address; -1 when there is none.</summary>
    public int FindCombinator(ulong address) => Search(_combinators, address, static row => row.Address);

    private static int Search<TRow>(TRow[] rows, ulong address, Func<TRow, ulong> key)
    {
        int low = 0, high = rows.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            ulong found = key(rows[middle]);
            if (found == address)
                return middle;
            if (found < address)
                low = middle + 1;
            else
                high = middle - 1;
        }
        return -1;
    }
}
