using Async2.Analysis.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Graph;

public sealed class AsyncGraphTests
{
    [Fact]
    public void Edges_are_accessible_from_both_ends()
    {
        var graph = new AsyncGraph(3);
        Assert.True(graph.Add(waiter: 1, awaited: 0));
        Assert.True(graph.Add(waiter: 2, awaited: 0));
        Assert.Equal([-1, 0, 0], Enumerable.Range(0, 3).Select(graph.Awaits));
        Assert.Equal([1, 2], graph.AwaitedBy(0));
        Assert.Equal(0, graph.AwaitedBy(1).Count);
    }

    [Fact]
    public void An_edge_is_kept_once_and_a_chain_waits_for_one_thing()
    {
        var graph = new AsyncGraph(3);
        graph.Add(waiter: 1, awaited: 0);
        Assert.True(graph.Add(waiter: 1, awaited: 0));
        Assert.False(graph.Add(waiter: 1, awaited: 2));
        Assert.False(graph.Add(waiter: 1, awaited: 1));
        Assert.Equal([1], graph.AwaitedBy(0));
        Assert.Equal(0, graph.AwaitedBy(2).Count);
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("0>1 1>2", "")]
    [InlineData("0>0", "0")]
    [InlineData("0>1 1>0", "1 0")]
    [InlineData("0>1 1>2 2>0", "2 1 0")]
    [InlineData("2>0 0>2 3>0 1>3", "2 0")]
    [InlineData("0>1 1>0 3>4 4>3 2>4", "1 0 | 3 4")]
    public void Cycles_are_found_once_and_without_outside_waiters(string edges, string cycles)
    {
        var graph = new AsyncGraph(6);
        foreach (string edge in edges.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            graph.Add(waiter: edge[0] - '0', awaited: edge[2] - '0');
        Assert.Equal(cycles, string.Join(" | ", graph.Cycles().Select(c => string.Join(' ', c))));
    }

    [Fact]
    public void The_waiter_known_to_the_task_has_priority_over_the_leaf()
    {
        var heap = TextHeap.Draw("a ThunkTask -> null ; b ThunkTask -> null ; c ThunkTask -> null ; a awaitedBy c");
        AsyncGraph graph = new GraphBuilder(heap.Index, [], heap.ReadAwaiters, heap.Problems).Build(_ => heap.AddressOf("b"));
        Assert.Equal(heap.TaskOf("a"), graph.Awaits(heap.TaskOf("c")));
        Assert.Equal(heap.TaskOf("b"), graph.Awaits(heap.TaskOf("a")));
        Assert.Empty(heap.Problems.ToImmutable());
    }

    [Fact]
    public void A_waiter_of_two_tasks_is_a_problem_at_its_address()
    {
        var heap = TextHeap.Draw("a ThunkTask -> null ; b ThunkTask -> null ; c ThunkTask -> null ; a awaitedBy c ; b awaitedBy c");
        new GraphBuilder(heap.Index, [], heap.ReadAwaiters, heap.Problems).Build(_ => 0);
        Problem problem = Assert.Single(heap.Problems.ToImmutable());
        Assert.Equal((ProblemCodes.UnexpectedObject, heap.AddressOf("c")), (problem.Code, problem.Address!.Value));
    }
}
