namespace Async2.Analysis.Model.Graph;

/// <summary>
/// The parts of a graph in which everything leads to everything: cycles, and what is woven of several. Tarjan's algorithm with a stack of its
/// own, since a graph may be a million deep; linear in nodes and edges.
/// </summary>
internal sealed class StronglyConnected
{
    private readonly Func<int, int, int> _next;
    private readonly int[] _order;
    private readonly int[] _low;
    private readonly bool[] _isOpen;
    private readonly int[] _part;
    private readonly Stack<int> _open = new();
    private readonly Stack<(int Node, int Next)> _path = new();
    private int _visited;

    /// <param name="size">Number of nodes.</param>
    /// <param name="next">The node to which an edge of a node leads, by the edge's position from 0; -1 behind the last.</param>
    public StronglyConnected(int size, Func<int, int, int> next)
    {
        _next = next;
        _order = new int[size];
        _low = new int[size];
        _isOpen = new bool[size];
        _part = new int[size];
    }

    /// <summary>Number of parts with a cycle that were found.</summary>
    public int Parts { get; private set; }

    /// <summary>Number of the part that a node is in, from 1; 0 if no cycle leads through it.</summary>
    public int PartOf(int node) => _part[node];

    /// <summary>Looks at all that a node leads to; what has been looked at is not again.</summary>
    public void Visit(int root)
    {
        if (_order[root] != 0)
            return;
        Enter(root);
        while (_path.TryPop(out (int Node, int Next) step))
        {
            int next = _next(step.Node, step.Next);
            if (next < 0)
            {
                Leave(step.Node);
                continue;
            }
            _path.Push((step.Node, step.Next + 1));
            if (_order[next] == 0)
                Enter(next);
            else if (next == step.Node)
                _part[next] = -1;
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
        // A node alone is a cycle only if it leads to itself.
        bool isCycle = _open.Peek() != node || _part[node] < 0;
        if (isCycle)
            Parts++;
        int member;
        do
        {
            member = _open.Pop();
            _isOpen[member] = false;
            _part[member] = isCycle ? Parts : 0;
        }
        while (member != node);
    }
}
