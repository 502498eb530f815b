using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// For each node the number of stacks that wait for it, directly or through others: the dominators of the graph of waits. A stack that needs
/// several things is counted where their ways have come together. Linear in nodes and edges, but for stacks that need several things.
/// </summary>
internal sealed class WaitForest
{
    // Who needs all of very many needs the first of them, too; who needs one of them waits for no one thing.
    private const int PartLimit = 64;

    private readonly AsyncModel _model;
    private readonly TwoWayEdges _edges;

    // Of each node the one on which it hangs, -1 for none; and the nodes, those before the others that hang on them.
    private readonly int[] _above;
    private readonly int[] _order;
    private int _reached;

    public WaitForest(AsyncModel model)
    {
        _model = model;
        _edges = new(Count, AddEdges);
        (_above, _order) = (new int[Count], new int[Count]);
        Stacks = Counted();
    }

    /// <summary>How many stacks wait at all: idle loops of frameworks, and what runs, are not among them.</summary>
    public int Total { get; private set; }

    /// <summary>Of each node, how many stacks go on only when it does.</summary>
    public int[] Stacks { get; }

    private int Count => _model.Graph.Count;

    /// <summary>How many others wait for a node directly.</summary>
    public int WaitingFor(int node) => _edges.WaitersOf(node).Count;

    /// <summary>The stacks that go on only when a node does: those that are counted.</summary>
    public IEnumerable<int> StacksBehind(int node)
    {
        bool[] isBehind = new bool[Count];
        isBehind[node] = true;
        for (int i = 0; i < _reached; i++)
            isBehind[_order[i]] |= _above[_order[i]] >= 0 && isBehind[_above[_order[i]]];
        return Enumerable.Range(0, _model.StackCount).Where(stack => IsCounted(stack) && isBehind[_model.Stacks.NodeOf(stack, 0)]);
    }

    private void AddEdges(Action<int, int> add)
    {
        AsyncGraph awaits = _model.Awaits;
        for (int node = 0; node < awaits.Count; node++)
        {
            if (awaits.Awaits(node) is >= 0 and var awaited && awaited != node)
                add(node, awaited);
        }
        for (int combinator = awaits.Count; combinator < awaits.Size; combinator++)
        {
            IReadOnlyList<int> parts = awaits.PartsOf(combinator);
            if (parts.Count > PartLimit && awaits.NeedsAny(combinator))
                continue;
            foreach (int part in parts.Take(PartLimit))
                add(combinator, part);
        }
        foreach (Edge edge in _model.Graph.LinkEdges)
        {
            // What ends a wait by itself, at the latest, is what it waits for only where there is nothing else.
            bool isAlso = edge.Kind == EdgeKind.CompletedBy && edge.From < awaits.Count && awaits.Awaits(edge.From) >= 0;
            if (edge.Kind is EdgeKind.BlockedOn or EdgeKind.HeldBy || (edge.Kind == EdgeKind.CompletedBy && !isAlso))
                add(edge.From, edge.To);
        }
        // A thread goes on when its innermost frames do.
        foreach (int id in _model.Nodes.Threads.Distinct())
            add(_model.Graph.FindThread(id), _model.Graph.InnermostOf(id));
    }

    // From what waits for nothing outwards. Nodes in cycles are never reached: they are another rule's.
    private int[] Counted()
    {
        // Of how many it still waits; when that is known of all, how many stacks go on with it.
        int[] left = new int[Count], above = _above, depth = new int[Count], order = _order;
        int end = 0;
        for (int node = 0; node < Count; node++)
        {
            left[node] = _edges.NeededBy(node).Count;
            above[node] = -1;
            if (left[node] == 0)
                order[end++] = node;
        }
        for (int i = 0; i < end; i++)
        {
            int node = order[i];
            above[node] = AboveOf(node, above, depth);
            depth[node] = above[node] < 0 ? 0 : depth[above[node]] + 1;
            foreach (int waiter in _edges.WaitersOf(node))
            {
                if (--left[waiter] == 0)
                    order[end++] = waiter;
            }
        }
        _reached = end;
        int[] counts = OwnStacks(left);
        for (int i = end - 1; i >= 0; i--)
        {
            if (above[order[i]] >= 0)
                counts[above[order[i]]] += counts[order[i]];
        }
        return counts;
    }

    // Where the ways of all needs have come together; -1 if they never do.
    private int AboveOf(int node, int[] above, int[] depth)
    {
        ArraySegment<int> needs = _edges.NeededBy(node);
        int common = needs.Count == 0 ? -1 : needs[0];
        for (int i = 1; i < needs.Count && common >= 0; i++)
        {
            int other = needs[i];
            while (common != other && common >= 0 && other >= 0)
            {
                if (depth[common] >= depth[other])
                    common = above[common];
                else
                    other = above[other];
            }
            common = other < 0 ? -1 : common;
        }
        return common;
    }

    private int[] OwnStacks(int[] counts)
    {
        Array.Clear(counts);
        for (int stack = 0; stack < _model.StackCount; stack++)
        {
            if (!IsCounted(stack))
                continue;
            counts[_model.Stacks.NodeOf(stack, 0)]++;
            Total++;
        }
        return counts;
    }

    private bool IsCounted(int stack)
    {
        StackRow row = _model.Stacks.Rows[stack];
        return row.Idle == 0 && row.State is StackState.Awaiting or StackState.Blocked && (row.Flags & StackFlags.IsTask) == 0;
    }
}
