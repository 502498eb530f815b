using Async2.Analysis.Graph;
using Async2.Analysis.Model.Graph;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Graph;

public sealed class CombinatorCyclesTests
{
    private const int Operations = 6;
    private const int Combinators = 3;

    [Fact]
    public void A_node_that_reaches_itself_and_is_reached_from_a_combinator_is_in_a_cycle() => Prop.ForAll(
        Gen.Two(Gen.Choose(0, Operations + Combinators - 1)).Select(p => (Waiter: p.Item1, Awaited: p.Item2)).ArrayOf(14).ToArbitrary(),
        edges =>
        {
            var graph = new AsyncGraph(Operations, 0, Combinators);
            foreach ((int waiter, int awaited) in edges)
                graph.Add(waiter, awaited);
            var cycles = new CombinatorCycles(graph);
            return Enumerable.Range(0, graph.Size).All(node => cycles.Has(node) == IsTied(graph, node));
        }).Check(Config.QuickThrowOnFailure.WithQuietOnSuccess(true).WithReplay(20261121, 1));

    [Fact]
    public void A_million_levels_are_supported()
    {
        const int count = 1_000_000;
        var graph = new AsyncGraph(count, 0, 1);
        for (int i = 1; i < count; i++)
            graph.Add(i - 1, i);
        graph.Add(count - 1, graph.CombinatorNode(0));
        graph.Add(graph.CombinatorNode(0), 0);
        var cycles = new CombinatorCycles(graph);
        Assert.True(cycles.Has(0));
        Assert.True(cycles.Has(count / 2));
    }

    [Fact]
    public void A_combinator_that_needs_any_part_closes_no_cycle()
    {
        var graph = new AsyncGraph(1, 0, 1);
        graph.Add(0, graph.CombinatorNode(0));
        graph.Add(graph.CombinatorNode(0), 0);
        graph.MarkAny(graph.CombinatorNode(0));
        Assert.False(new CombinatorCycles(graph).Has(0));
    }

    // By definition: it reaches itself, and some combinator reaches it.
    private static bool IsTied(AsyncGraph graph, int node)
        => Reached(graph, node).Contains(node) && Enumerable.Range(Operations, Combinators).Any(n => Reached(graph, n).Contains(node));

    private static HashSet<int> Reached(AsyncGraph graph, int from)
    {
        var reached = new HashSet<int>();
        var ahead = new Queue<int>([from]);
        while (ahead.TryDequeue(out int node))
        {
            foreach (int next in graph.IsCombinator(node) ? graph.PartsOf(node) : graph.Awaits(node) is >= 0 and var awaited ? [awaited] : [])
            {
                if (reached.Add(next))
                    ahead.Enqueue(next);
            }
        }
        return reached;
    }
}
