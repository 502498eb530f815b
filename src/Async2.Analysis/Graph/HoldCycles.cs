using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Graph;

/// <summary>
/// Finds the cycles that run over threads, locks and tasks alike: a wait for a thread to let go becomes an edge of the graph like
/// those of awaits if, and only if, that thread waits for the waiter, by whatever way. What it needs of several, all must lead back.
/// </summary>
/// <param name="graph">With all awaits, and who holds what.</param>
/// <param name="isLimited">The thread of a segment blocks for a limited time, and goes on then.</param>
internal sealed class HoldCycles(AsyncGraph graph, Func<int, bool> isLimited)
{
    // A thread that waits for all of a million operations is looked through; thousands of such threads are not.
    private const int StepLimit = 20_000_000;

    private int _steps;

    /// <summary>Adds the edges.</summary>
    /// <returns>False if there was too much to look through: there may be more cycles.</returns>
    public bool Close()
    {
        int[] waiters = [.. graph.Holds.Keys.Order()];
        var edges = new Dictionary<int, int>();
        var refused = new HashSet<int>();
        bool changed = true;
        // If an edge is rejected, the edges that depend on it are rejected, too.
        while (changed)
        {
            changed = false;
            edges.Clear();
            foreach (int waiter in waiters)
            {
                if (refused.Contains(waiter))
                    continue;
                if (EdgeOf(waiter, graph.Holds[waiter], refused) is { } node)
                    edges[waiter] = node;
                else
                    changed = refused.Add(waiter);
            }
        }
        foreach ((int waiter, int node) in edges)
            graph.Add(waiter, node, EdgeSource.Inferred);
        return _steps < StepLimit;
    }

    private int? EdgeOf(int waiter, Hold hold, HashSet<int> refused)
    {
        if (hold.IsLimited || graph.Awaits(waiter) >= 0 || hold.Nodes.Count == 0)
            return null;
        int[] back = [.. hold.Nodes.Where(node => LeadsTo(node, waiter, refused))];
        return back.Length > 0 && (hold.NeedsAll || back.Length == hold.Nodes.Count) ? back[0] : null;
    }

    private bool LeadsTo(int start, int goal, HashSet<int> refused)
    {
        var met = new HashSet<int> { start };
        var ahead = new Stack<int>(met);
        while (ahead.TryPop(out int node) && _steps++ < StepLimit)
        {
            if (node == goal)
                return true;
            foreach (int next in AwaitedOf(node, refused))
            {
                if (met.Add(next))
                    ahead.Push(next);
            }
        }
        return false;
    }

    private IEnumerable<int> AwaitedOf(int node, HashSet<int> refused)
    {
        if (graph.IsCombinator(node))
            return graph.NeedsAny(node) ? [] : graph.PartsOf(node);
        if (graph.Awaits(node) is >= 0 and var awaited)
            return graph.IsSegment(node) && isLimited(node) ? [] : [awaited];
        return !refused.Contains(node) && graph.Holds.TryGetValue(node, out Hold? hold) && !hold.IsLimited ? hold.Nodes : [];
    }
}
