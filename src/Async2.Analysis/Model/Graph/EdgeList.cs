namespace Async2.Analysis.Model.Graph;

/// <summary>Who waits for each node: lists are made of all edges at once, when somebody first asks.</summary>
internal sealed class EdgeList(int nodes)
{
    private readonly List<(int Waiter, int Awaited)> _edges = [];
    private NodeLists? _waiters;

    public void Add(int waiter, int awaited)
    {
        _edges.Add((waiter, awaited));
        _waiters = null;
    }

    /// <summary>Who waits for a node, in the order in which they were added.</summary>
    public ArraySegment<int> Of(int node) => (_waiters ??= Sort()).Of(node);

    private NodeLists Sort()
    {
        var waiters = new NodeLists(nodes);
        foreach ((_, int awaited) in _edges)
            waiters.Count(awaited);
        waiters.Begin();
        foreach ((int waiter, int awaited) in _edges)
            waiters.Put(awaited, waiter);
        waiters.End();
        return waiters;
    }
}
