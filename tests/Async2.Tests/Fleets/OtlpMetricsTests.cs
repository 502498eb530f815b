using Async2.Analysis.Watching;
using Async2.Dump.Fleets;
using Async2.Dump.Fleets.Wire;
using static Async2.Tests.Watching.WatchDrawing;

namespace Async2.Tests.Fleets;

/// <summary>Numbers of looks: nothing is lost from a sum, series are bounded, and what has gone is 0.</summary>
public sealed class OtlpMetricsTests
{
    [Fact]
    public void A_stack_that_has_gone_is_0_once()
    {
        WatchSeries series = Series();
        var metrics = new OtlpMetrics();
        Assert.Equal([1, 1], Stacks(metrics.Of(series.Look(Model(0, Pay, Refresh)))));
        Assert.Equal([1, 0], Stacks(metrics.Of(series.Look(Model(1, Pay)))));
        Assert.Equal([1], Stacks(metrics.Of(series.Look(Model(2, Pay)))));
        Assert.Equal([0], Stacks(metrics.OfEnd(DateTimeOffset.UnixEpoch)));
    }

    // Prometheus and others keep the last value of a series for minutes, some for ever.
    [Fact]
    public void Of_a_process_that_has_ended_no_number_is_left()
    {
        WatchSeries series = Series();
        var metrics = new OtlpMetrics();
        Metric[] all = [.. Enumerable.Range(0, 3).SelectMany(look => metrics.Of(series.Look(Model(look, Pay))))], end = [.. metrics.OfEnd(DateTimeOffset.UnixEpoch)];
        Assert.NotEmpty(Points(all.Reverse().DistinctBy(metric => metric.Name), "async2.stack.oldest"));
        Assert.Equal(all.Select(metric => metric.Name).Distinct().Where(name => name != "async2.findings").Order(), end.Select(metric => metric.Name).Order());
        Assert.All(end.Where(metric => metric.Name != "async2.stacks").SelectMany(metric => metric.Gauge.DataPoints), point
            => Assert.Equal((1u, NumberDataPoint.ValueOneofCase.None), (point.Flags, point.ValueCase)));
    }

    [Fact]
    public void An_age_that_is_not_known_any_more_is_ended()
    {
        WatchSeries series = Series();
        var metrics = new OtlpMetrics();
        foreach (int look in (int[])[0, 1])
            _ = metrics.Of(series.Look(Model(look, Pay, Refresh))).ToArray();
        Assert.Equal([0u, 1u], Points(metrics.Of(series.Look(Model(2, Pay))), "async2.stack.oldest").Select(point => point.Flags));
    }

    [Fact]
    public void A_finding_is_counted_until_it_ends_and_then_0()
    {
        WatchSeries series = Series();
        var metrics = new OtlpMetrics();
        NumberDataPoint point = Assert.Single(Points(metrics.Of(series.Look(Model(0, Deadlock))), "async2.findings"));
        Assert.Equal((1, "deadlock"), (point.AsInt, point.Attributes.Single(attribute => attribute.Key == "async2.finding.rule").Value.StringValue));
        Assert.Equal(0, Assert.Single(Points(metrics.OfEnd(DateTimeOffset.UnixEpoch), "async2.findings")).AsInt);
    }

    [Fact]
    public void Series_are_bounded_and_sums_are_not_cut()
    {
        const int looks = 12, each = 150;
        WatchSeries series = Series();
        var metrics = new OtlpMetrics();
        HashSet<string> known = [];
        for (int look = 0; look < looks; look++)
        {
            string[] stacks = [.. Enumerable.Range(0, each).Select(i => $"t{i} ThunkTask -> a{i} ; a{i} Continuation Shop.M{look}x{i}.Run:4 -> end")];
            NumberDataPoint[] points = Points(metrics.Of(series.Look(Model(look, stacks))), "async2.stacks");
            Assert.Equal(each, points.Sum(point => point.AsInt));
            Assert.InRange(points.Count(point => point.AsInt > 0), 1, OtlpMetrics.MostOfLook + 1);
            known.UnionWith(points.Select(point => point.Attributes.Single(attribute => attribute.Key == "async2.key").Value.StringValue));
        }
        Assert.InRange(known.Count, OtlpMetrics.MostOfLook, OtlpMetrics.MostOfRun + 1);
        Assert.Contains("other", known);
    }

    private static long[] Stacks(IEnumerable<Metric> metrics) => [.. Points(metrics, "async2.stacks").Select(point => point.AsInt)];

    private static NumberDataPoint[] Points(IEnumerable<Metric> metrics, string name) => [.. metrics.Single(metric => metric.Name == name).Gauge.DataPoints];
}
