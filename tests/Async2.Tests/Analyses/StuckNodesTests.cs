using System.Diagnostics;
using System.Text;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Analyses.Cycles;
using Async2.Analysis.Model;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Analyses;

/// <summary>What can never go on is told from what can, also in programs with very many waits.</summary>
public sealed class StuckNodesTests(ITestOutputHelper output)
{
    [Fact]
    public void A_holder_that_waits_for_very_many_tasks_is_released_in_linear_time()
    {
        AsyncModel few = Model(3_000), many = Model(30_000);
        Time(few);
        (TimeSpan small, TimeSpan big) = (Time(few), Time(many));
        output.WriteLine($"{small.TotalMilliseconds:0.0} ms, {big.TotalMilliseconds:0.0} ms");
        Assert.True(big < TimeSpan.FromMilliseconds(200) + (40 * small), $"{small} for a tenth, {big}");
    }

    [Fact]
    public void A_holder_that_waits_for_tasks_of_which_one_waits_for_it_is_stuck_and_so_are_those_behind_it()
    {
        AsyncModel model = Model(3, "x3 Thread 11 Shop.Inner:7 ; x3 runsIn l2 b2 ; x3 wants 7 of lock");
        var stuck = new StuckNodes(model);
        int holder = model.Graph.InnermostOf(7), other = model.Graph.InnermostOf(9);
        Assert.True(stuck.Has(holder));
        // One part is enough; the parts that can go on are not in it.
        string[] names = [.. stuck.Nodes.Where(node => node < model.Nodes.Operations).Select(new NodeText(model).Short).Order(StringComparer.Ordinal)];
        Assert.Equal(["Shop.Inner", "Shop.Part", "Shop.Whole"], names);
        Assert.Contains(model.Graph.StackOf(other), stuck.StacksBehind([holder]));
    }

    // Thread 7 holds the lock that thread 9 wants, and blocks until so many tasks are done.
    private static AsyncModel Model(int parts, string more = "")
    {
        var text = new StringBuilder("""
            x1 Thread 7 Shop.Hold:3 ; x1 blocksOn t ; x2 Thread 9 Shop.Want:1 ; x2 wants 7 of lock
            w WhenAll ; w awaitedBy t ; t ThunkTask -> a ; a Continuation Shop.Whole:1 -> end

            """);
        for (int i = 0; i < parts; i++)
            text.AppendLine(FormattableString.Invariant($"t{i} ThunkTask -> a{i} ; a{i} Continuation Shop.Part:1 -> end ; t{i} awaitedBy w ; l{i} ThunkTask -> b{i} ; b{i} Continuation Shop.Inner:1 -> end ; l{i} awaitedBy t{i}"));
        var heap = TextHeap.Draw(text.Append(more).ToString());
        return DrawnModel.Of(heap.Input, heap, heap.Problems);
    }

    private static TimeSpan Time(AsyncModel model)
    {
        _ = model.Graph.Count;
        var watch = Stopwatch.StartNew();
        Assert.Empty(new StuckNodes(model).Nodes);
        return watch.Elapsed;
    }
}
