using System.Diagnostics;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>
/// Twice as much takes about twice as long, whatever the shape. A ratio, not a time, so that a slow machine passes; what is
/// quadratic takes four times as long.
/// </summary>
[Collection(MeasuredCollection.Name)]
public sealed class ScaleTests
{
    private const int Attempts = 12;

    // Quadratic work beside linear work stays just below 4.
    private const double MostGrowth = 3;

    [Theory]
    [InlineData("one chain", 200_000)]
    [InlineData("chains", 100_000)]
    [InlineData("one gate", 60_000)]
    [InlineData("chain of chains", 60_000)]
    [InlineData("cycle", 60_000)]
    [InlineData("a cycle with waiters", 60_000)]
    [InlineData("one chain of all", 60_000)]
    public void The_work_grows_with_the_heap_and_not_faster(string shape, int size)
    {
        BulkHeap half = Draw(shape, size / 2), whole = Draw(shape, size);
        double ratio = BestRatio(() => Time(whole), () => Time(half), MostGrowth);
        Assert.True(ratio < MostGrowth, $"{shape}: twice as big took {ratio:F1} times as long");
    }

    [Fact]
    public void A_deep_chain_is_complete()
    {
        StackView found = Draw("one chain", 1_000_000).Stacks();
        Assert.Equal(1_000_000, Assert.Single(found.Stacks).Frames.Count);
        Assert.Equal(new SnapshotTotals(1, 1_000_000, 1), found.Totals);
    }

    [Fact]
    public void Many_waiters_of_one_gate_are_two_groups()
    {
        StackView found = Draw("one gate", 1000).Stacks();
        Assert.Equal([(998L, "s2"), (1L, null)], found.Stacks.Select(s => (s.Count, s.WaitingOn?.Stack)));
        Assert.Equal(new SnapshotTotals(999, 2000, 2), found.Totals);
    }

    [Fact]
    public void A_big_cycle_is_one_deadlocked_stack()
    {
        LogicalStack stack = Assert.Single(Draw("cycle", 1000).Stacks().Stacks);
        Assert.Equal((StackState.Deadlocked, 1000), (stack.State, stack.Frames.Count));
    }

    [Fact]
    public void Filters_cost_less_than_the_stacks_they_are_asked_about()
    {
        var query = new StackQuery
        {
            Method = TextPattern.Parse("--method", "shop.*pay$"),
            With = [TextPattern.Parse("--with", "(P|S)ay")],
            Without = [TextPattern.Parse("--without", "(a|b|c)+z")],
            WaitingOn = TextPattern.Parse("--waiting-on", "unknown|task"),
        };
        BulkHeap heap = Draw("chains", 200_000);
        double ratio = BestRatio(() => Time(heap, query), () => Time(heap), 3);
        Assert.True(ratio < 3, $"with filters it took {ratio:F1} times as long");
    }

    private static BulkHeap Draw(string shape, int size) => shape switch
    {
        "one chain" => BulkHeap.Chains(1, size, _ => []),
        "chains" => BulkHeap.Chains(size, 2, _ => []),
        "one gate" => BulkHeap.Chains(size, 2, i => i == 0 ? Enumerable.Range(1, size - 1) : []),
        "chain of chains" => BulkHeap.Chains(size, 1, i => i + 1 < size ? [i + 1] : []),
        "cycle" => BulkHeap.Chains(size, 1, i => [(i + 1) % size]),
        "a cycle with waiters" => BulkHeap.Chains(size, 1, i => i < size / 2 ? [(i + 1) % (size / 2), (size / 2) + i] : []),
        "one chain of all" => BulkHeap.SharedChain(size),
        _ => throw new ArgumentException(shape),
    };

    // Of the best times of each: another test beside it, or a collection, only ever adds to one. Looks go on until it is small enough.
    private static double BestRatio(Func<double> measured, Func<double> measure, double enough)
    {
        double most = double.MaxValue, least = double.MaxValue;
        for (int i = 0; i < Attempts && (i < 2 || most / least >= enough); i++)
            (most, least) = (Math.Min(most, measured()), Math.Min(least, measure()));
        return most / least;
    }

    private static double Time(BulkHeap heap, StackQuery? query = null)
    {
        long start = Stopwatch.GetTimestamp();
        heap.Stacks(query: query);
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }
}
