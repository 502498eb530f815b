using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Snapshots;

/// <summary>Same program, same answer: a garbage collection that moves everything changes addresses and nothing else.</summary>
public sealed class OrderTests
{
    private const string Shop = """
        g1 ThunkTask -> a1 ; a1 Continuation [Task.Delay] -> a2 ; a2 Continuation Shop.Prices.Refresh:9 -> end ; g1 awaitedBy t2 t3 t4
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Orders.Pay:4 -> b2 ; b2 Continuation Shop.Main:5 -> end
        t3 ThunkTask -> d1 ; d1 Continuation Shop.Orders.Pay:4 -> d2 ; d2 Continuation Shop.Other:6 -> end
        t4 ThunkTask -> e1 ; e1 Continuation Shop.Orders.Pay:4 -> e2 ; e2 Continuation Shop.Main:5 -> end
        t5 ThunkTask -> f1 ; f1 Continuation Shop.Queue.Take:4 -> end
        t6 ThunkTask -> h1 ; h1 Continuation Shop.Queue.Take:4 -> end
        x1 ThunkTask -> k1 ; k1 Continuation Shop.Lock.B:1 -> end ; x1 awaitedBy x2 x4
        x2 ThunkTask -> k2 ; k2 Continuation Shop.Lock.C:1 -> end ; x2 awaitedBy x3
        x3 ThunkTask -> k3 ; k3 Continuation Shop.Lock.A:1 -> end ; x3 awaitedBy x1
        x4 ThunkTask -> k4 ; k4 Continuation Shop.Lock.Outside:1 -> end
        a1 awaits System.Threading.Tasks.Task+DelayPromise proven
        """;

    [Fact]
    public void The_biggest_is_first_then_names_decide() => Assert.Equal("""
        s1 x2 awaiting: Shop.Queue.Take:4
        s2 deadlocked Task -> s2: Shop.Lock.A:1 < Shop.Lock.B:1 < Shop.Lock.C:1
        s3 awaiting Task -> s2: Shop.Lock.Outside:1
        s4 awaiting Task -> s6: Shop.Orders.Pay:4 < Shop.Main:5
        s5 awaiting Task -> s6: Shop.Orders.Pay:4 < Shop.Other:6
        s6 awaiting Task.Delay: Shop.Prices.Refresh:9 < Shop.Orders.Pay:4 < Shop.Main:5
        """, TextHeap.Draw(Shop).Show());

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_answer_does_not_depend_on_addresses(bool coalesce)
    {
        var options = new AnalysisOptions { Coalesce = coalesce };
        string ordered = TextHeap.Draw(Shop).Show(options);
        for (int seed = 0; seed < 100; seed++)
            Assert.Equal(ordered, TextHeap.Draw(Shop, new Random(seed)).Show(options));
    }

    [Fact]
    public void Totals_count_every_stack_and_every_frame()
        => Assert.Equal(new SnapshotTotals(7, 13, 6), TextHeap.Draw(Shop).Stacks().Totals);

    [Fact]
    public void An_interrupted_analysis_gives_partial_results_and_says_so()
    {
        using var stop = new CancellationTokenSource();
        var heap = TextHeap.Draw(Shop);
        heap.OnFrame = stop.Cancel;
        StackView found = heap.StacksUntil(stop.Token);
        Assert.False(found.Complete);
        Assert.InRange(found.Stacks.Length, 1, 5);
        Assert.Equal(found.Totals.Stacks, found.Stacks.Sum(s => s.Count));
        Assert.True(TextHeap.Draw(Shop).Stacks().Complete);
    }

    [Fact]
    public void An_analysis_that_is_interrupted_before_it_begins_ends_at_once()
        => Assert.False(TextHeap.Draw(Shop).StacksUntil(new CancellationToken(canceled: true)).Complete);
}
