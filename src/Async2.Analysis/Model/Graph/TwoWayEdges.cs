namespace Async2.Analysis.Model.Graph;

/// <summary>Who waits for each node and what each waits for. No list of the edges is kept, as there are millions: they are gone through twice.</summary>
internal sealed class TwoWayEdges
{
    private readonly NodeLists _needed;
    private readonly NodeLists _waiters;

    /// <param name="nodes">How many there are.</param>
    /// <param name="all">Calls back with each edge, who waits and for what; always the same.</param>
    public TwoWayEdges(int nodes, Action<Action<int, int>> all)
    {
        (_needed, _waiters) = (new(nodes), new(nodes));
        all((waiter, needed) =>
        {
            _needed.Count(waiter);
            _waiters.Count(needed);
        });
        _needed.Begin();
        _waiters.Begin();
        all((waiter, needed) =>
        {
            _needed.Put(waiter, needed);
            _waiters.Put(needed, waiter);
        });
        _needed.End();
        _waiters.End();
    }

    /// <summary>What a node waits for, in the order of the edges.</summary>
    public ArraySegment<int> NeededBy(int node) => _needed.Of(node);

    /// <summary>Who waits for a node, in the order of the edges.</summary>
    public ArraySegment<int> WaitersOf(int node) => _waiters.Of(node);
}
