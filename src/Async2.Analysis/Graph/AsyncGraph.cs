namespace Async2.Analysis.Graph;

/// <summary>
/// Which chain waits for which: nodes are the incomplete tasks of the index, by their position there; edges are kept both ways.
/// </summary>
internal sealed class AsyncGraph
{
    private readonly List<int>?[] _awaitedBy;
    private readonly int[] _awaits;

    public AsyncGraph(int count)
    {
        _awaitedBy = new List<int>?[count];
        _awaits = new int[count];
        Array.Fill(_awaits, -1);
    }

    public int Count => _awaits.Length;

    /// <summary>The chain that this one waits for; -1 when it waits for something else. A chain waits for one thing at a time.</summary>
    public int Awaits(int node) => _awaits[node];

    /// <summary>Chains that wait for this one, in waiting order.</summary>
    public IReadOnlyList<int> AwaitedBy(int node) => _awaitedBy[node] ?? (IReadOnlyList<int>)[];

    /// <summary>The chains that wait for each other in a circle, each circle once and in waiting order: the next waits for the one before.</summary>
    public IEnumerable<IReadOnlyList<int>> Circles()
    {
        // Each chain awaits one at most, so a walk that meets itself has found a circle, and no chain is walked twice.
        var walkOf = new int[Count];
        for (int start = 0; start < Count; start++)
        {
            int node = start;
            for (; node >= 0 && walkOf[node] == 0; node = _awaits[node])
                walkOf[node] = start + 1;
            if (node >= 0 && walkOf[node] == start + 1)
                yield return CircleOf(node);
        }
    }

    private List<int> CircleOf(int member)
    {
        var circle = new List<int> { member };
        for (int node = _awaits[member]; node != member; node = _awaits[node])
            circle.Add(node);
        circle.Reverse();
        return circle;
    }

    /// <summary>Adds an edge once; a second awaited chain of the same waiter is refused, since only one can be true.</summary>
    public bool Add(int waiter, int awaited)
    {
        if (waiter == awaited && _awaits[waiter] < 0)
            _awaits[waiter] = awaited;
        if (_awaits[waiter] >= 0)
            return _awaits[waiter] == awaited;
        _awaits[waiter] = awaited;
        (_awaitedBy[awaited] ??= []).Add(waiter);
        return true;
    }
}
