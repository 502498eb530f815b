using Async2.Analysis.Targets.Stopping;
using Async2.Dump.Watching;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Watching;

/// <summary>What is done with processors that nobody else wants.</summary>
public sealed class SpareTimeTests
{
    private const int Niceness = 10;

    [Fact]
    public void It_has_what_nobody_else_wants_until_that_is_ended()
    {
        // Without the right to end it, nobody begins it.
        if (!SpareTime.IsPossible)
            return;
        int before = ThreadUrgency.Niceness;
        (bool atFirst, bool isLess, bool atLast) = SpareTime.Do(() =>
        {
            (bool first, int niceness) = (ThreadUrgency.IsIdle, ThreadUrgency.Niceness);
            SpareTime.End();
            return (first, niceness > before, ThreadUrgency.IsIdle);
        }, TimeSpan.FromHours(1));
        Assert.Equal((true, true, false), (atFirst, isLess || before >= Niceness, atLast));
        Assert.Equal((before, false), (ThreadUrgency.Niceness, ThreadUrgency.IsIdle));
    }

    [Fact]
    public void It_has_more_if_that_takes_too_long()
    {
        if (!SpareTime.IsPossible)
            return;
        Assert.True(SpareTime.Do(() =>
        {
            ProcessFacts.WaitUntil(() => !ThreadUrgency.IsIdle, "somebody ends it");
            return ThreadUrgency.Niceness > 0;
        }, TimeSpan.FromMilliseconds(50)));
    }

    [Fact]
    public void A_failure_is_the_callers()
        => Assert.Throws<InvalidOperationException>(() => SpareTime.GiveWay<int>(() => throw new InvalidOperationException("no")));
}
