namespace Async2.Analysis.Model.Graph;

/// <summary>Who waits for each node: lists are made of all edges at once, when somebody first asks.</summary>
internal sealed class EdgeList(int nodes)
{
    private readonly List<(int Waiter, int Awaited)> _edges = [];
    private int[]? _starts;
    private int[] _waiters = [];

    public void Add(int waiter, int awaited)
    {
        _edges.Add((waiter, awaited));
        _starts = null;
    }

    /// <summary>Who waits for a node, in the order in which they were added.</summary>
    public ArraySegment<int> Of(int node)
    {
        int[] starts = _starts ??= Sort();
        return new(_waiters, starts[node], starts[node + 1] - starts[node]);
    }

    // Counting sort: stable, and linear.
    private int[] Sort()
    {
        var starts = new int[nodes + 1];
        foreach ((_, int awaited) in _edges)
            starts[awaited + 1]++;
        for (int i = 0; i < nodes; i++)
            starts[i + 1] += starts[i];
        _waiters = new int[_edges.Count];
        // What is filled moves its own start, and all are moved back at the end.
        foreach ((int waiter, int awaited) in _edges)
            _waiters[starts[awaited]++] = waiter;
        for (int i = nodes; i > 0; i--)
            starts[i] = starts[i - 1];
        starts[0] = 0;
        return starts;
    }
}
