using Async2.Analysis.Comparison;
using Async2.Analysis.Watching;
using static Async2.Tests.Watching.WatchDrawing;

namespace Async2.Tests.Watching;

/// <summary>What follows from several looks: trends, what is stuck and for how long, and what begins.</summary>
public sealed class WatchSeriesTests
{
    [Fact]
    public void The_first_look_knows_of_no_change()
    {
        WatchLook look = Series().Look(Model(0, Pay, Refresh));
        Assert.Null(look.Changes);
        Assert.All(look.Groups, group => Assert.Equal((null, 0L), (group.Changes, group.StillMs)));
        Assert.Equal(["Pay", "Refresh"], look.Groups.Select(NameOf).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Who_is_in_the_same_place_gets_older_from_look_to_look()
    {
        WatchSeries series = Series();
        series.Look(Model(0, Pay));
        series.Look(Model(1, Pay));
        WatchLook third = series.Look(Model(2.5, Pay));
        Assert.Equal(new ChangeCounts(1, 1, 1, 0, 0, 0), third.Changes);
        Assert.Equal(2500, Assert.Single(third.Groups).StillMs);
    }

    [Fact]
    public void Who_goes_on_begins_again()
    {
        WatchSeries series = Series();
        series.Look(Model(0, Pay));
        // The same task and another continuation: a later await in the same place.
        WatchLook moved = series.Look(Model(1, "t1 ThunkTask -> a9 ; x Final ; y Final ; a9 Continuation Shop.Orders.Pay:4 -> a2 ; a2 Continuation Shop.Main:5 -> end"));
        Assert.Equal(new ChangeCounts(1, 1, 0, 1, 0, 0), moved.Changes);
        Assert.Equal(0, Assert.Single(moved.Groups).StillMs);
    }

    [Fact]
    public void Groups_come_and_go_and_their_trend_says_so()
    {
        WatchSeries series = Series(length: 3);
        series.Look(Model(0, Pay));
        WatchLook both = series.Look(Model(1, Pay, Refresh));
        Assert.Equal([0L, 1L], both.Groups.Single(group => NameOf(group) == "Refresh").Trend);
        Assert.Equal(new ChangeCounts(1, 2, 1, 0, 1, 0), both.Changes);
        WatchLook gone = series.Look(Model(2, Pay));
        Assert.Equal(new ChangeCounts(2, 1, 1, 0, 0, 1), gone.Changes);
        series.Look(Model(3, Pay));
        WatchLook back = series.Look(Model(4, Pay, Refresh));
        Assert.Equal([0L, 0L, 1L], back.Groups.Single(group => NameOf(group) == "Refresh").Trend);
        Assert.Equal([1L, 1L, 1L], back.Groups.Single(group => NameOf(group) == "Pay").Trend);
    }

    [Fact]
    public void Another_process_is_compared_with_nothing()
    {
        WatchSeries series = Series();
        series.Look(Model(0, Pay));
        var other = Model(1, Pay);
        Assert.Null(series.Look(other with { Target = other.Target with { Pid = 4 } }).Changes);
    }

    [Fact]
    public void What_a_finding_rests_on_comes_first_and_the_finding_gets_older()
    {
        WatchSeries series = Series();
        series.Look(Model(0, Pay, Deadlock));
        WatchLook look = series.Look(Model(2, Pay, Deadlock));
        Assert.Equal(("deadlock", 2000L), (look.Findings[0].Finding.Rule, look.Findings[0].SinceMs));
        Assert.Equal([true, false], look.Groups.Select(group => group.IsAccused));
    }

    [Fact]
    public void Each_incident_is_reported_once_until_it_was_over_for_a_minute()
    {
        WatchSeries series = Series();
        var incidents = new WatchIncidents(TimeSpan.FromSeconds(2), finding => finding.Rule == "deadlock");
        Assert.StartsWith("deadlock: ", Assert.Single(incidents.Begun(series.Look(Model(0, Deadlock)))), StringComparison.Ordinal);
        Assert.Empty(incidents.Begun(series.Look(Model(1, Deadlock))));
        Assert.StartsWith("stuck for 2.1 s: Shop.Hold", Assert.Single(incidents.Begun(series.Look(Model(2.1, Deadlock)))), StringComparison.Ordinal);
        Assert.Empty(incidents.Begun(series.Look(Model(3, Deadlock))));
        Assert.Empty(incidents.Begun(series.Look(Model(4, Pay))));
        Assert.Empty(incidents.Begun(series.Look(Model(50, Deadlock))));
        Assert.Empty(incidents.Begun(series.Look(Model(51, Pay))));
        Assert.Empty(incidents.Begun(series.Look(Model(112, Pay))));
        Assert.NotEmpty(incidents.Begun(series.Look(Model(113, Deadlock))));
    }

    [Fact]
    public void Who_waits_for_nobody_in_particular_is_not_held_up()
    {
        WatchSeries series = Series();
        var incidents = new WatchIncidents(TimeSpan.FromSeconds(1), _ => false);
        series.Look(Model(0, Pay, Wanted));
        WatchLook look = series.Look(Model(5, Pay, Wanted));
        Assert.Equal(5000, look.Groups.Single(group => NameOf(group) == "Pay").StillMs);
        Assert.StartsWith("stuck for 5 s: Shop.Till.Open", Assert.Single(incidents.Begun(look)), StringComparison.Ordinal);
    }

    private static string NameOf(WatchGroup group) => group.Stack.Frames[0].Method.Split('.')[^1].Split('(')[0];
}
