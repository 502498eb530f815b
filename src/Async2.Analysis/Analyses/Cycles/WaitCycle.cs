using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Cycles;

/// <summary>A cycle of waits: who waits for whom, in that order, back to the first.</summary>
/// <param name="Hops">From one who waits to the next.</param>
/// <param name="Part">All nodes that are in cycles with them.</param>
internal sealed record WaitCycle(IReadOnlyList<Hop> Hops, IReadOnlyList<int> Part)
{
    /// <summary>It leads over a context whose threads are in it.</summary>
    public Edge? Context(AsyncModel model) => Hops.Select(hop => hop.Context(model)).FirstOrDefault(edge => edge is not null);

    /// <summary>The cycles among nodes that are stuck; one for each part of the graph in which everything waits for everything.</summary>
    public static IEnumerable<WaitCycle> In(AsyncModel model, StuckNodes stuck)
    {
        int[] nodes = [.. stuck.Nodes];
        Dictionary<int, int> numbers = Enumerable.Range(0, nodes.Length).ToDictionary(i => nodes[i]);
        int[][] needs = [.. nodes.Select(node => stuck.NeedsOf(node).Select(edge => numbers[edge.To]).ToArray())];
        var parts = new StronglyConnected(nodes.Length, (node, position) => position < needs[node].Length ? needs[node][position] : -1);
        for (int i = 0; i < nodes.Length; i++)
            parts.Visit(i);
        // Nodes ascend: a cycle begins at its first operation.
        foreach (IGrouping<int, int> part in Enumerable.Range(0, nodes.Length).Where(i => parts.PartOf(i) > 0).GroupBy(parts.PartOf))
        {
            int[] members = [.. part.Select(i => nodes[i])];
            int first = members.FirstOrDefault(node => IsActor(model, node), -1);
            if (first >= 0)
                yield return new(HopsOf(model, Shortest(stuck, first, members)), members);
        }
    }

    /// <summary>Only operations and threads wait; all else is what they wait for.</summary>
    private static bool IsActor(AsyncModel model, int node) => node < model.Awaits.Count;

    // Breadth first, from a node back to it.
    private static List<Edge> Shortest(StuckNodes stuck, int start, int[] members)
    {
        var within = members.ToHashSet();
        var came = new Dictionary<int, Edge>();
        var ahead = new Queue<int>([start]);
        while (!came.ContainsKey(start) && ahead.TryDequeue(out int node))
        {
            foreach (Edge edge in stuck.NeedsOf(node))
            {
                if (within.Contains(edge.To) && came.TryAdd(edge.To, edge))
                    ahead.Enqueue(edge.To);
            }
        }
        var edges = new List<Edge>();
        for (int node = start; edges.Count == 0 || node != start; node = edges[^1].From)
            edges.Add(came[node]);
        edges.Reverse();
        return edges;
    }

    private static IReadOnlyList<Hop> HopsOf(AsyncModel model, List<Edge> cycle)
    {
        var hops = new List<Hop>();
        var edges = new List<Edge>();
        foreach (Edge edge in cycle)
        {
            edges.Add(edge);
            if (!IsActor(model, edge.To))
                continue;
            hops.Add(new(edges[0].From, [.. edges], edge.To));
            edges.Clear();
        }
        // Where who waits for any of several waits for itself, its stack does not show that.
        bool isChoice = cycle.Exists(edge => edge.Kind == EdgeKind.PartOf && model.Awaits.NeedsAny(edge.From));
        Hop[] said = [.. hops.Where(hop => !IsOfOneStack(model, hop, isChoice))];
        IReadOnlyList<Hop> joined = Joined(said.Length > 0 ? said : [.. hops]);
        // The one that blocks a thread is the one to change.
        int first = Math.Max(0, Enumerable.Range(0, joined.Count).FirstOrDefault(i => joined[i].From >= model.Awaits.Operations));
        return [.. joined.Skip(first), .. joined.Take(first)];
    }

    // What executes an operation is that operation, and the outer end of a stack waits for its inner end: neither needs words.
    private static bool IsOfOneStack(AsyncModel model, Hop hop, bool isChoice)
        => hop.Via < 0 && (hop.Edges[0].Kind == EdgeKind.RunsOn || hop.Edges[0] is { Kind: EdgeKind.Awaits, Source: EdgeSource.ThreadStack }
            || (!isChoice && hop.Edges[0].Kind == EdgeKind.Awaits && model.Graph.StackOf(hop.From) is >= 0 and var stack && stack == model.Graph.StackOf(hop.To) && model.Stacks.Rows[stack].State != StackState.Deadlocked));

    // A hundred callers between two locks are one step, unless there is nothing but awaits.
    private static IReadOnlyList<Hop> Joined(Hop[] hops)
    {
        if (hops.All(hop => hop.IsAwait))
            return hops;
        var joined = new List<Hop>();
        foreach (Hop hop in hops)
        {
            if (joined.Count > 0 && hop.IsAwait && joined[^1].IsAwait)
                joined[^1] = joined[^1] with { To = hop.To };
            else
                joined.Add(hop);
        }
        return joined;
    }
}

/// <summary>From one who waits to the next.</summary>
/// <param name="From">Who waits.</param>
/// <param name="Edges">Over what: one edge for an await, several for a lock or a context.</param>
/// <param name="To">Who is waited for.</param>
internal sealed record Hop(int From, IReadOnlyList<Edge> Edges, int To)
{
    /// <summary>What lies between the two: a lock, a context, a combinator; -1 for nothing.</summary>
    public int Via => Edges.Count > 1 ? Edges[0].To : -1;

    /// <summary>It leads over a context or scheduler.</summary>
    public Edge? Context(AsyncModel model) => Edges.Where(edge => model.Graph.KindOf(edge.To) == AsyncNodeKind.Context).Select(edge => (Edge?)edge).FirstOrDefault();

    /// <summary>The task in the queue of a scheduler over which it leads; -1 for none.</summary>
    public int Queued(AsyncModel model) => Context(model) is { Kind: EdgeKind.ResumesOn } edge && model.Graph.KindOf(edge.From) == AsyncNodeKind.Resource ? edge.From : -1;

    /// <summary>A plain await.</summary>
    public bool IsAwait => Edges is [{ Kind: EdgeKind.Awaits }];
}
