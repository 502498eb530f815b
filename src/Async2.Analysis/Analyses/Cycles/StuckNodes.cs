using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Cycles;

/// <summary>
/// Nodes that can never go on, by what waits for what: the largest set in which each needs something that is in the set itself. What may end
/// by itself (a timer, a socket, a thread that runs) is not in it, nor is what needs one of several and finds one outside.
/// </summary>
internal sealed class StuckNodes
{
    private readonly AsyncModel _model;
    private readonly WaitNeeds _needs;
    private readonly Dictionary<int, Needs> _stuck = [];

    public StuckNodes(AsyncModel model)
    {
        (_model, _needs) = (model, new(model));
        Reach(Seeds());
        Release();
    }

    /// <summary>The nodes, ascending.</summary>
    public IEnumerable<int> Nodes => _stuck.Keys.Order();

    /// <summary>A node can never go on.</summary>
    public bool Has(int node) => _stuck.ContainsKey(node);

    /// <summary>What a stuck node needs, as far as that is stuck itself; the edges come from the node, and lead to what it needs.</summary>
    public IEnumerable<Edge> NeedsOf(int node) => _stuck.TryGetValue(node, out Needs? needs) ? needs.Edges.Where(edge => Has(edge.To)) : [];

    /// <summary>The same of all that a stuck node needs, directly or not.</summary>
    public IEnumerable<Edge> AllNeedsOf(int node)
    {
        var seen = new HashSet<int> { node };
        var ahead = new Queue<int>(seen);
        while (ahead.TryDequeue(out int next))
        {
            foreach (Edge edge in NeedsOf(next))
            {
                yield return edge;
                if (seen.Add(edge.To))
                    ahead.Enqueue(edge.To);
            }
        }
    }

    /// <summary>Stacks that cannot go on before some nodes do, as far as a reader sees them, ascending.</summary>
    public IReadOnlyList<int> StacksBehind(IEnumerable<int> nodes)
    {
        var behind = new HashSet<int>(nodes);
        var ahead = new Queue<int>(behind);
        var stacks = new SortedSet<int>();
        // What needs one of several stands behind them when the last of those does.
        var others = new Dictionary<int, HashSet<int>>();
        while (ahead.TryDequeue(out int node))
        {
            if (_model.Graph.StackOf(node) is >= 0 and var stack && _model.Stacks.IsSeen(stack))
                stacks.Add(stack);
            foreach (int waiter in _needs.WaitersOf(node))
            {
                if (!behind.Contains(waiter) && Needs(waiter, node, others) && behind.Add(waiter))
                    ahead.Enqueue(waiter);
            }
        }
        return [.. stacks];
    }

    private bool Needs(int waiter, int node, Dictionary<int, HashSet<int>> others)
    {
        if (!others.TryGetValue(waiter, out HashSet<int>? rest))
        {
            if (_needs.Of(waiter) is not { } needs)
                return false;
            if (needs.All)
                return needs.Edges.Any(edge => edge.To == node);
            others[waiter] = rest = [.. needs.Edges.Select(edge => edge.To)];
        }
        rest.Remove(node);
        return rest.Count == 0;
    }

    // A cycle leads over an operation of which that is known already, over something that is held, over a context, or over what is done with any of several.
    private IEnumerable<int> Seeds()
    {
        for (int stack = 0; stack < _model.StackCount; stack++)
        {
            if (_model.Stacks.Rows[stack].State == StackState.Deadlocked)
                yield return _model.Stacks.NodeOf(stack, 0);
        }
        foreach (int node in _model.Graph.Held())
            yield return node;
        foreach (int node in _model.Graph.Contexts())
            yield return node;
        foreach (int node in _needs.Choices())
            yield return node;
    }

    private void Reach(IEnumerable<int> seeds)
    {
        var ahead = new Stack<int>(seeds);
        while (ahead.TryPop(out int node))
        {
            if (_stuck.ContainsKey(node) || _needs.Of(node) is not { } needs)
                continue;
            _stuck[node] = needs;
            foreach (Edge edge in needs.Edges)
                ahead.Push(edge.To);
        }
    }

    private void Release()
    {
        ILookup<int, int> neededBy = _stuck.SelectMany(pair => pair.Value.Edges.Select(edge => (edge.To, pair.Key))).ToLookup(pair => pair.To, pair => pair.Key);
        // Counted, as a WhenAll may need a million that become free one after the other.
        Dictionary<int, int> left = _stuck.ToDictionary(pair => pair.Key, pair => pair.Value.Edges.Count(edge => Has(edge.To)));
        bool IsFree(int node) => _stuck[node].All ? left[node] == 0 : left[node] < _stuck[node].Edges.Count;
        var free = new Stack<int>(_stuck.Keys.Where(IsFree));
        while (free.TryPop(out int node))
        {
            if (!_stuck.Remove(node))
                continue;
            foreach (int waiter in neededBy[node].Where(Has))
            {
                left[waiter]--;
                if (IsFree(waiter))
                    free.Push(waiter);
            }
        }
    }
}
