namespace Async2.Analysis.Model.Graph;

/// <summary>Who waits for each node and what each waits for. No list of the edges is kept, as there are millions: they are gone through twice.</summary>
internal sealed class TwoWayEdges
{
    private readonly int[] _neededStarts;
    private readonly int[] _needed;
    private readonly int[] _waiterStarts;
    private readonly int[] _waiters;

    /// <param name="nodes">How many there are.</param>
    /// <param name="all">Calls back with each edge, who waits and for what; always the same.</param>
    public TwoWayEdges(int nodes, Action<Action<int, int>> all)
    {
        (_neededStarts, _waiterStarts) = (new int[nodes + 1], new int[nodes + 1]);
        int count = 0;
        all((waiter, needed) =>
        {
            _neededStarts[waiter + 1]++;
            _waiterStarts[needed + 1]++;
            count++;
        });
        for (int i = 0; i < nodes; i++)
        {
            _neededStarts[i + 1] += _neededStarts[i];
            _waiterStarts[i + 1] += _waiterStarts[i];
        }
        (_needed, _waiters) = (new int[count], new int[count]);
        // What is filled moves its own start, and all are moved back at the end.
        all((waiter, needed) =>
        {
            _needed[_neededStarts[waiter]++] = needed;
            _waiters[_waiterStarts[needed]++] = waiter;
        });
        MoveBack(_neededStarts);
        MoveBack(_waiterStarts);
    }

    /// <summary>What a node waits for, in the order of the edges.</summary>
    public ArraySegment<int> NeededBy(int node) => new(_needed, _neededStarts[node], _neededStarts[node + 1] - _neededStarts[node]);

    /// <summary>Who waits for a node, in the order of the edges.</summary>
    public ArraySegment<int> WaitersOf(int node) => new(_waiters, _waiterStarts[node], _waiterStarts[node + 1] - _waiterStarts[node]);

    private static void MoveBack(int[] starts)
    {
        Array.Copy(starts, 0, starts, 1, starts.Length - 1);
        starts[0] = 0;
    }
}
