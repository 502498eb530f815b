namespace Async2.Analysis.Model.Graph;

/// <summary>Edges by the node that they come from, and by the one that they lead to: 12 bytes each, and 4 for the way back.</summary>
internal sealed class EdgeTable
{
    private readonly Edge[] _edges;
    private int[]? _back;

    /// <param name="edges">In any order; what is there twice is kept once.</param>
    public EdgeTable(IEnumerable<Edge> edges)
    {
        _edges = [.. edges];
        Array.Sort(_edges, Compare);
        int count = 0;
        for (int i = 0; i < _edges.Length; i++)
        {
            if (count == 0 || _edges[i] with { Source = _edges[count - 1].Source } != _edges[count - 1])
                _edges[count++] = _edges[i];
        }
        Array.Resize(ref _edges, count);
    }

    /// <summary>None.</summary>
    public static EdgeTable Empty { get; } = new([]);

    /// <summary>All, by where they come from.</summary>
    public IReadOnlyList<Edge> All => _edges;

    /// <summary>Adds those that come from a node.</summary>
    public void AddFrom(int node, List<Edge> edges)
    {
        for (int i = First(_edges.Length, at => _edges[at].From >= node); i < _edges.Length && _edges[i].From == node; i++)
            edges.Add(_edges[i]);
    }

    /// <summary>Adds those that lead to a node.</summary>
    public void AddTo(int node, List<Edge> edges)
    {
        int[] back = _back ??= Back();
        for (int i = First(back.Length, at => _edges[back[at]].To >= node); i < back.Length && _edges[back[i]].To == node; i++)
            edges.Add(_edges[back[i]]);
    }

    /// <summary>How many lead to a node.</summary>
    public int CountTo(int node)
    {
        int[] back = _back ??= Back();
        int first = First(back.Length, at => _edges[back[at]].To >= node);
        return First(back.Length, at => _edges[back[at]].To > node) - first;
    }

    private int[] Back()
    {
        int[] back = [.. Enumerable.Range(0, _edges.Length)];
        Array.Sort(back, (a, b) => _edges[a].To != _edges[b].To ? _edges[a].To.CompareTo(_edges[b].To) : a.CompareTo(b));
        return back;
    }

    private static int First(int count, Func<int, bool> isThere)
    {
        int low = 0, high = count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (isThere(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    private static int Compare(Edge a, Edge b)
        => a.From != b.From ? a.From.CompareTo(b.From) : a.To != b.To ? a.To.CompareTo(b.To) : a.Kind != b.Kind ? a.Kind.CompareTo(b.Kind) : a.Source.CompareTo(b.Source);
}
