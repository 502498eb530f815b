using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Graph;

/// <summary>
/// Nodes that wait for themselves, as far as they are waited for by combinators: they are in a strongly connected part of the
/// graph, where everything waits for everything. Tarjan's algorithm with a stack of its own, since a graph may be a million deep.
/// </summary>
internal sealed class CombinatorCycles
{
    private readonly AsyncGraph _graph;
    private readonly int[] _order;
    private readonly int[] _low;
    private readonly bool[] _isOpen;
    private readonly bool[] _isInCycle;
    private readonly Stack<int> _open = new();
    private readonly Stack<(int Node, int Next)> _path = new();
    private int _visited;

    /// <param name="graph">The graph.</param>
    /// <param name="follows">Whether a combinator needs all of its parts; one that needs any is not a cycle.</param>
    public CombinatorCycles(AsyncGraph graph, Func<int, bool> follows)
    {
        _graph = graph;
        // Without combinators there are none, and a million nodes need no marks.
        int size = graph.Size > graph.Count ? graph.Size : 0;
        _order = new int[size];
        _low = new int[size];
        _isOpen = new bool[size];
        _isInCycle = new bool[size];
        for (int combinator = graph.Count; combinator < graph.Size; combinator++)
        {
            if (_order[combinator] == 0 && follows(combinator))
                Visit(combinator, follows);
        }
    }

    /// <summary>The node is part of a cycle of waits that a combinator leads to or is part of.</summary>
    public bool Has(int node) => _isInCycle.Length > 0 && _isInCycle[node];

    private void Visit(int root, Func<int, bool> follows)
    {
        Enter(root);
        while (_path.TryPop(out (int Node, int Next) step))
        {
            int next = AwaitedOf(step.Node, step.Next, follows);
            if (next < 0)
            {
                Leave(step.Node);
                continue;
            }
            _path.Push((step.Node, step.Next + 1));
            if (_order[next] == 0)
                Enter(next);
            else if (next == step.Node)
                _isInCycle[next] = true;
            else if (_isOpen[next])
                _low[step.Node] = Math.Min(_low[step.Node], _order[next]);
        }
    }

    private void Enter(int node)
    {
        _order[node] = _low[node] = ++_visited;
        _isOpen[node] = true;
        _open.Push(node);
        _path.Push((node, 0));
    }

    private void Leave(int node)
    {
        if (_path.TryPeek(out (int Node, int Next) outer))
            _low[outer.Node] = Math.Min(_low[outer.Node], _low[node]);
        if (_low[node] != _order[node])
            return;
        bool isCycle = _open.Peek() != node;
        int member;
        do
        {
            member = _open.Pop();
            _isOpen[member] = false;
            _isInCycle[member] |= isCycle;
        }
        while (member != node);
    }

    private int AwaitedOf(int node, int position, Func<int, bool> follows)
    {
        if (!_graph.IsCombinator(node))
            return position == 0 ? _graph.Awaits(node) : -1;
        IReadOnlyList<int> parts = _graph.PartsOf(node);
        return position < parts.Count && follows(node) ? parts[position] : -1;
    }
}
