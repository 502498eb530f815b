using System.Diagnostics;
using Async2.Analysis.Analyses;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Model;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Analyses;

/// <summary>Each thing has the number of stacks that go on only when it does, and nothing is counted twice.</summary>
public sealed class WaitForestTests(ITestOutputHelper output)
{
    [Fact]
    public void Stacks_behind_stacks_are_counted_where_their_ways_come_together()
    {
        // t1 is awaited by t2 and t3; t4 awaits t2; t5 needs t3 and t6.
        AsyncModel model = Draw("""
            t1 ThunkTask -> a1 ; a1 Continuation Shop.A:1 -> end ; t1 awaitedBy t2 t3
            t2 ThunkTask -> a2 ; a2 Continuation Shop.B:1 -> end ; t2 awaitedBy t4
            t3 ThunkTask -> a3 ; a3 Continuation Shop.C:1 -> end
            t4 ThunkTask -> a4 ; a4 Continuation Shop.D:1 -> end
            t6 ThunkTask -> a6 ; a6 Continuation Shop.F:1 -> end
            w1 WhenAll ; w1 awaitedBy t5 ; t3 awaitedBy w1 ; t6 awaitedBy w1
            t5 ThunkTask -> a5 ; a5 Continuation Shop.E:1 -> end
            """);
        var forest = new WaitForest(model);
        int[] nodes = [.. Enumerable.Range(1, 6).Select(i => NodeOf(model, $"{(char)('A' + i - 1)}"))];
        // A continues in the stack of B and D; C waits for it, too. E needs more than A, and is nobody's alone.
        Assert.Equal(2, forest.Stacks[nodes[0]]);
        Assert.Equal(0, forest.Stacks[nodes[1]]);
        Assert.Equal(1, forest.Stacks[nodes[2]]);
        Assert.Equal(1, forest.Stacks[nodes[5]]);
        Assert.Equal(model.StackCount, forest.Total);
        Assert.All(nodes, node => Assert.Equal(forest.Stacks[node], forest.StacksBehind(node).Count()));
    }

    [Fact]
    public void A_cycle_is_not_counted_and_ends()
    {
        AsyncModel model = Draw("""
            x1 ThunkTask -> k1 ; k1 Continuation Shop.B:1 -> end ; x1 awaitedBy x2 x4
            x2 ThunkTask -> k2 ; k2 Continuation Shop.C:1 -> end ; x2 awaitedBy x1
            x4 ThunkTask -> k4 ; k4 Continuation Shop.D:1 -> end
            """);
        Assert.All(new WaitForest(model).Stacks, count => Assert.InRange(count, 0, 1));
    }

    [Fact]
    public void A_million_nodes_are_counted_in_linear_time()
    {
        // Each is awaited by the next two: a tree, and one shared task under all of it.
        AsyncModel few = BulkHeap.Chains(20_000, 1, i => Waiters(i, 20_000)).Model(), many = BulkHeap.Chains(200_000, 1, i => Waiters(i, 200_000)).Model();
        Time(few);
        (TimeSpan small, TimeSpan big) = (Time(few), Time(many));
        output.WriteLine($"{small.TotalMilliseconds:0.0} ms, {big.TotalMilliseconds:0.0} ms");
        Assert.True(big < TimeSpan.FromMilliseconds(200) + (40 * small), $"{small} for a tenth, {big}");
    }

    [Fact]
    public void The_rules_take_a_small_share_of_a_million_frames()
    {
        var reading = Stopwatch.StartNew();
        AsyncModel model = BulkHeap.Chains(10_000, 100, _ => []).Model();
        reading.Stop();
        var finding = Stopwatch.StartNew();
        AnalysisList.In(model);
        finding.Stop();
        output.WriteLine($"model {reading.ElapsedMilliseconds} ms, findings {finding.ElapsedMilliseconds} ms");
        // The whole command also walks the heap, and reads code and threads.
        Assert.True(finding.Elapsed < 0.5 * reading.Elapsed, $"{finding.ElapsedMilliseconds} ms of {reading.ElapsedMilliseconds}");
    }

    private static IEnumerable<int> Waiters(int i, int count) => new[] { (2 * i) + 1, (2 * i) + 2 }.Where(waiter => waiter < count);

    private static TimeSpan Time(AsyncModel model)
    {
        var watch = Stopwatch.StartNew();
        Assert.NotEmpty(new WaitForest(model).Stacks);
        return watch.Elapsed;
    }

    private static int NodeOf(AsyncModel model, string method)
    {
        var names = new NodeText(model);
        return Enumerable.Range(0, model.Nodes.Operations).Single(node => names.FrameOf(node)?.Method.EndsWith($"Shop.{method}", StringComparison.Ordinal) == true || names.FrameOf(node)?.Name == method);
    }

    private static AsyncModel Draw(string text)
    {
        TextHeap heap = TextHeap.Draw(text);
        return DrawnModel.Of(heap.Input, heap, heap.Problems);
    }
}
