namespace Async2.Analysis.Model.Graph;

/// <summary>Edges by the node that they come from, and by the one that they lead to: 12 bytes each, and 4 for the way back.</summary>
internal sealed class EdgeTable
{
    private readonly Edge[] _edges;
    private readonly int _count;
    private readonly int _nodes;
    private int _cursor;
    private NodeLists? _back;

    /// <param name="edges">In any order; what is there twice is kept once. The array is kept.</param>
    /// <param name="filled">How many of them there are.</param>
    /// <param name="nodes">How many nodes there are.</param>
    public EdgeTable(Edge[] edges, int filled, int nodes)
    {
        (_nodes, _edges) = (nodes, edges);
        // A million stacks come in the order of their nodes.
        if (!IsSorted(edges.AsSpan(0, filled)))
            edges.AsSpan(0, filled).Sort(Compare);
        int count = 0;
        for (int i = 0; i < filled; i++)
        {
            if (count == 0 || (_edges[i].From, _edges[i].To, _edges[i].Kind) != (_edges[count - 1].From, _edges[count - 1].To, _edges[count - 1].Kind))
                _edges[count++] = _edges[i];
        }
        // A million edges are not copied because a few fewer came than there is room for.
        if (count < _edges.Length / 2)
            Array.Resize(ref _edges, count);
        _count = count;
    }

    /// <summary>All of them, by the node that they come from.</summary>
    public IReadOnlyList<Edge> All => new ArraySegment<Edge>(_edges, 0, _count);

    /// <summary>Adds those that come from a node.</summary>
    public void AddFrom(int node, List<Edge> edges)
    {
        // Who asks mostly asks for one node after the other.
        int at = _cursor;
        if (at > _count || (at > 0 && _edges[at - 1].From >= node) || (at < _count && _edges[at].From < node))
            at = FirstFrom(node);
        for (; at < _count && _edges[at].From == node; at++)
            edges.Add(_edges[at]);
        _cursor = at;
    }

    /// <summary>Adds those that lead to a node.</summary>
    public void AddTo(int node, List<Edge> edges)
    {
        foreach (int edge in (_back ??= Sort()).Of(node))
            edges.Add(_edges[edge]);
    }

    /// <summary>Nodes from which edges of a kind come, each once, ascending.</summary>
    public IEnumerable<int> From(EdgeKind kind) => All.Where(edge => edge.Kind == kind).Select(edge => edge.From).Distinct();

    /// <summary>How many lead to a node.</summary>
    public int CountTo(int node) => (_back ??= Sort()).Of(node).Count;

    // By the node that they lead to. Several threads may ask at once, and each sees all or nothing of it.
    private NodeLists Sort()
    {
        var back = new NodeLists(_nodes);
        for (int i = 0; i < _count; i++)
            back.Count(_edges[i].To);
        back.Begin();
        for (int i = 0; i < _count; i++)
            back.Put(_edges[i].To, i);
        back.End();
        return back;
    }

    private int FirstFrom(int node)
    {
        int low = 0, high = _count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (_edges[middle].From >= node)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    private static bool IsSorted(ReadOnlySpan<Edge> edges)
    {
        for (int i = 1; i < edges.Length; i++)
        {
            if (Compare(edges[i - 1], edges[i]) > 0)
                return false;
        }
        return true;
    }

    private static int Compare(Edge a, Edge b)
        => a.From != b.From ? a.From.CompareTo(b.From) : a.To != b.To ? a.To.CompareTo(b.To) : a.Kind != b.Kind ? a.Kind.CompareTo(b.Kind) : a.Source.CompareTo(b.Source);
}
