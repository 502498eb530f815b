namespace Async2.Analysis.Model.Graph;

/// <summary>
/// A list of numbers for each node, all in one array: counting sort, stable and linear. Who fills it goes through all numbers twice: first each is counted,
/// then, after <see cref="Begin"/>, each is put where it belongs, and <see cref="End"/> is called.
/// </summary>
internal sealed class NodeLists(int nodes)
{
    private readonly int[] _starts = new int[nodes + 1];
    private int[] _items = [];

    /// <summary>A node's list will have one more.</summary>
    public void Count(int node) => _starts[node + 1]++;

    /// <summary>All have been counted.</summary>
    public void Begin()
    {
        for (int i = 0; i < nodes; i++)
            _starts[i + 1] += _starts[i];
        _items = new int[_starts[nodes]];
    }

    /// <summary>Adds to a node's list. What is filled moves its own start.</summary>
    public void Put(int node, int item) => _items[_starts[node]++] = item;

    /// <summary>All have been put: the starts are moved back.</summary>
    public void End()
    {
        Array.Copy(_starts, 0, _starts, 1, nodes);
        _starts[0] = 0;
    }

    /// <summary>The list of a node, in the order in which it was filled.</summary>
    public ArraySegment<int> Of(int node) => new(_items, _starts[node], _starts[node + 1] - _starts[node]);
}
