using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;

namespace Async2.Tests.Targets;

/// <summary>Every problem is told, counted at the least: a user must be able to see how partial an answer is.</summary>
public sealed class ProblemLogTests
{
    private readonly ProblemLog _log = new();

    [Fact]
    public void Problems_come_in_the_order_of_discovery()
    {
        _log.Add(ProblemCodes.CyclicChain, "b", 2);
        _log.Add(ProblemCodes.UnreadableMemory, "a", 1);
        Assert.Equal([new(ProblemCodes.CyclicChain, "b", 2), new Problem(ProblemCodes.UnreadableMemory, "a", 1)], _log.ToImmutable());
    }

    [Fact]
    public void The_same_problem_is_listed_once_for_each_address()
    {
        _log.Add(ProblemCodes.CyclicChain, "a", 1);
        _log.Add(ProblemCodes.CyclicChain, "a", 1);
        _log.Add(ProblemCodes.CyclicChain, "a", 2);
        _log.Add(ProblemCodes.UnexpectedObject, "a", 1);
        Assert.Equal(3, _log.ToImmutable().Length);
    }

    [Fact]
    public void A_hundred_problems_of_a_kind_are_listed_one_by_one()
    {
        Flood(ProblemCodes.CyclicChain, 100);
        Assert.Equal(100, _log.ToImmutable().Length);
        Assert.DoesNotContain(_log.ToImmutable(), p => p.Text.Contains("more of this kind", StringComparison.Ordinal));
    }

    [Fact]
    public void The_rest_of_many_problems_is_counted()
    {
        Flood(ProblemCodes.CyclicChain, 1_100);
        Assert.Equal(101, _log.ToImmutable().Length);
        Assert.Equal(new Problem(ProblemCodes.CyclicChain, "... and 1,000 more of this kind"), _log.ToImmutable()[^1]);
    }

    [Fact]
    public void Many_problems_of_one_kind_do_not_hide_others()
    {
        Flood(ProblemCodes.CyclicChain, 250_000);
        _log.Add(ProblemCodes.HeapIncomplete, "a part of the heap could not be walked");
        var all = _log.ToImmutable();
        Assert.Equal([ProblemCodes.HeapIncomplete, ProblemCodes.CyclicChain], all[^2..].Select(p => p.Code));
        Assert.Equal("... and 249,900 more of this kind", all[^1].Text);
    }

    [Fact]
    public void Repetitions_are_not_counted_even_after_many_problems()
    {
        _log.Add(ProblemCodes.HeapIncomplete, "once", 1);
        Flood(ProblemCodes.CyclicChain, 150_000);
        for (int i = 0; i < 200; i++)
            _log.Add(ProblemCodes.HeapIncomplete, "once", 1);
        Assert.Single(_log.ToImmutable(), p => p.Code == ProblemCodes.HeapIncomplete);
    }

    [Fact]
    public void Signs_of_a_torn_moment_are_reported_once()
    {
        _log.Add(ProblemCodes.HeapIncomplete, "a part of the heap could not be walked");
        Flood(ProblemCodes.CyclicChain, 50);
        Flood(ProblemCodes.UnexpectedObject, 250);
        Assert.Equal(
            ["a part of the heap could not be walked", "a chain is cyclic (50 times)", "a chain is cyclic (100 times at least)"], _log.Joined().Select(p => p.Text));
    }

    private void Flood(string code, int count)
    {
        for (int i = 0; i < count; i++)
            _log.Add(code, "a chain is cyclic", (ulong)i);
    }
}
