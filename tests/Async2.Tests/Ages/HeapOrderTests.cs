using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;

namespace Async2.Tests.Ages;

/// <summary>What the place of an object among timers proves, and what it does not.</summary>
public sealed class HeapOrderTests
{
    private const ulong Old = 0x10000, Young = 0x20000, End = 0x30000;
    private static readonly GenerationRange[] Ranges = [new(Old, Young, 2), new(Young, End, 0)];

    [Fact]
    public void An_object_is_not_older_than_the_timer_before_it()
    {
        HeapOrder order = Of(Timers(Young, 20, i => 1000 + (i * 100)));
        Assert.Equal((1000 + (4 * 100) - 20, null), order.Of(Young + (4 * 64) + 8));
        // Nothing lies before it.
        Assert.Equal((null, null), order.Of(Young));
        Assert.Equal((null, null), order.Of(End));
    }

    [Fact]
    public void Disorder_widens_its_bound()
    {
        HeapOrder order = Of(Timers(Young, 20, i => i == 10 ? 5000 : 1000 + (i * 100)));
        // The one that is too young is 2,900 ms younger than the next.
        Assert.Equal((5000 - 2900 - 20, null), order.Of(Young + (10 * 64) + 8));
    }

    [Fact]
    public void Few_timers_prove_nothing_about_order() => Assert.Equal((null, null), Of(Timers(Young, 15, i => 1000 + i)).Of(Young + 500));

    [Fact]
    public void What_survived_is_older_than_what_was_made_since()
    {
        HeapOrder order = Of([.. Timers(Old, 3, i => 1000 + i), .. Timers(Young, 3, i => 7000 + i)]);
        Assert.Equal((null, 7020), order.Of(Old + 8));
        Assert.Equal((null, null), order.Of(Young + 8));
        // One that is older than a survivor was left where it was.
        Assert.Equal((null, 7021), Of([.. Timers(Old, 3, i => 1000 + i), .. Timers(Young, 3, i => i == 0 ? 900 : 7000 + i)]).Of(Old + 8));
    }

    [Theory]
    [InlineData(3200L, AgeClock.Timer, 3200L, AgeClock.Timer, 1, "for 3.2 s", "by its own timer")]
    [InlineData(3200L, AgeClock.Timer, 3200L, AgeClock.Timer, 4, "oldest for 3.2 s", "by its own timer")]
    [InlineData(3200L, AgeClock.Collection, 40000L, AgeClock.Neighbours, 1, "for at least 3.2 s, at most 40 s", "at least by a collection that it survived, at most by timers beside it on the heap")]
    [InlineData(0L, AgeClock.Neighbours, 40000L, AgeClock.Neighbours, 1, "for at most 40 s", "by timers beside it on the heap")]
    [InlineData(3200L, AgeClock.Collection, null, null, 1, "for at least 3.2 s", "by a collection that it survived")]
    [InlineData(3200L, AgeClock.TwoLooks, null, null, 1, "still for 3.2 s", "by two looks")]
    public void Words_say_what_is_known(long least, AgeClock clock, long? most, AgeClock? mostClock, long count, string words, string clocks)
    {
        var age = new StackAge(least, clock, count) { AtMostMs = most, AtMostClock = mostClock };
        Assert.Equal(words, AgeFormatter.Of(age, count));
        Assert.Equal(clocks, AgeFormatter.Clocks(age));
    }

    private static HeapOrder Of((ulong Address, long Tick)[] timers)
        => new(new AgeFacts { Now = 10_000, NowSource = NowSource.Clock, Timers = [.. timers.Select(t => t.Address)], Promises = [.. timers.Select(t => t.Address - 32)], Ticks = [.. timers.Select(t => t.Tick)] }, Ranges);

    private static (ulong Address, long Tick)[] Timers(ulong start, int count, Func<int, long> tick)
        => [.. Enumerable.Range(0, count).Select(i => (start + (ulong)(i * 64), tick(i)))];
}
