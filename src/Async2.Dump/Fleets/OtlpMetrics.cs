using System.Runtime.InteropServices;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Async2.Dump.Fleets.Wire;

namespace Async2.Dump.Fleets;

/// <summary>
/// Numbers of one process over its looks, as gauges. A backend keeps each series that it has ever seen, so they are bounded: of a look the largest ones, of a run so many; what
/// is beyond that is added up as one, and no stack is lost from a sum.
/// </summary>
internal sealed class OtlpMetrics
{
    /// <summary>How many series a look has, beside the one of the others.</summary>
    public const int MostOfLook = 100;

    /// <summary>How many series a process has in all.</summary>
    public const int MostOfRun = 1000;

    // DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK: Prometheus and others end a series at it.
    private const uint NoValue = 1;

    private readonly HashSet<OtlpSeries> _known = [];
    private HashSet<OtlpSeries> _before = [], _agesBefore = [];
    private HashSet<(string, string, string)> _findingsBefore = [];

    /// <summary>What a look says.</summary>
    public IEnumerable<Metric> Of(WatchLook look) => All(look).Where(metric => metric.Gauge.DataPoints.Count > 0);

    /// <summary>Of a process that has ended: nothing waits any more, and there is nobody to look at.</summary>
    public IEnumerable<Metric> OfEnd(DateTimeOffset now)
    {
        ulong time = OtlpText.Nanoseconds(now);
        return new[] { Stacks(Counts([], time)), Ages(Oldest([], time)), Findings(Findings([], time)), Complete(Gone(time)), Stopped(Gone(time)) }.Where(metric => metric.Gauge.DataPoints.Count > 0);
    }

    private IEnumerable<Metric> All(WatchLook look)
    {
        ulong time = OtlpText.Nanoseconds(look.Model.Target.TakenAt ?? DateTimeOffset.UnixEpoch);
        var stacks = new Dictionary<OtlpSeries, (long Stacks, long? OldestMs)>();
        int left = MostOfLook;
        foreach (RouteShare share in WatchRoutes.Of(look).OrderByDescending(share => share.Group.IsAccused).ThenByDescending(share => share.Stacks))
        {
            OtlpSeries series = Admitted(OtlpSeries.Of(share), stacks.ContainsKey, ref left);
            ref (long Stacks, long? OldestMs) sum = ref CollectionsMarshal.GetValueRefOrAddDefault(stacks, series, out _);
            sum = (sum.Stacks + share.Stacks, sum.OldestMs is { } one && share.OldestMs is { } two ? Math.Max(one, two) : sum.OldestMs ?? share.OldestMs);
        }
        yield return Stacks(Counts(stacks, time));
        yield return Ages(Oldest(stacks, time));
        yield return Findings(Findings(look.Findings, time));
        yield return Complete(new NumberDataPoint { TimeUnixNano = time, AsInt = look.View.Complete ? 1 : 0 });
        if (look.Model.Target.FreezeMs is { } stopped)
            yield return Stopped(new NumberDataPoint { TimeUnixNano = time, AsDouble = stopped / 1000 });
        _before = [.. stacks.Keys];
    }

    private OtlpSeries Admitted(OtlpSeries series, Func<OtlpSeries, bool> isInLook, ref int left)
    {
        if (isInLook(series))
            return series;
        if (left == 0 || (!_known.Contains(series) && _known.Count >= MostOfRun))
            return OtlpSeries.Other;
        left--;
        _known.Add(series);
        return series;
    }

    private IEnumerable<NumberDataPoint> Counts(Dictionary<OtlpSeries, (long Stacks, long? OldestMs)> stacks, ulong time)
    {
        foreach ((OtlpSeries series, (long count, _)) in stacks)
            yield return Count(series, count, time);
        // A gauge that is not written any more keeps its last value in most backends.
        foreach (OtlpSeries gone in _before.Where(series => !stacks.ContainsKey(series)))
            yield return Count(gone, 0, time);
    }

    private IEnumerable<NumberDataPoint> Findings(IEnumerable<WatchFinding> findings, ulong time)
    {
        Dictionary<(string, string, string), int> counts = findings.GroupBy(finding => (finding.Finding.Rule, DisplayText.Of(finding.Finding.Severity), DisplayText.Of(finding.Finding.Confidence)))
            .ToDictionary(group => group.Key, group => group.Count());
        foreach ((string Rule, string Severity, string Confidence) kind in counts.Keys.Union(_findingsBefore).Order())
        {
            var point = new NumberDataPoint { TimeUnixNano = time, AsInt = counts.GetValueOrDefault(kind) };
            OtlpText.Add(point.Attributes, "async2.finding.rule", kind.Rule);
            OtlpText.Add(point.Attributes, "async2.finding.severity", kind.Severity);
            OtlpText.Add(point.Attributes, "async2.finding.confidence", kind.Confidence);
            yield return point;
        }
        _findingsBefore = [.. counts.Keys];
    }

    // An age has no value that says that there is none.
    private List<NumberDataPoint> Oldest(Dictionary<OtlpSeries, (long Stacks, long? OldestMs)> stacks, ulong time)
    {
        var points = new List<NumberDataPoint>();
        HashSet<OtlpSeries> now = [];
        foreach ((OtlpSeries series, (_, long? oldest)) in stacks.Where(row => row.Value.OldestMs is not null))
        {
            points.Add(Seconds(series, oldest!.Value / 1000.0, time));
            now.Add(series);
        }
        foreach (OtlpSeries gone in _agesBefore.Where(series => !now.Contains(series)))
        {
            NumberDataPoint point = Gone(time);
            gone.AddTo(point.Attributes);
            points.Add(point);
        }
        _agesBefore = now;
        return points;
    }

    private static NumberDataPoint Gone(ulong time) => new() { TimeUnixNano = time, Flags = NoValue };

    private static Metric Ages(IEnumerable<NumberDataPoint> points) => Gauge("async2.stack.oldest", "Time that the oldest of these stacks has waited, at least", "s", points);

    private static Metric Complete(NumberDataPoint point) => Gauge("async2.look.complete", "1 if all stacks were found in the last look", "1", [point]);

    private static Metric Stopped(NumberDataPoint point) => Gauge("async2.look.stopped", "Time for which the last look stopped the process", "s", [point]);

    private static Metric Stacks(IEnumerable<NumberDataPoint> points) => Gauge("async2.stacks", "Logical async stacks", "{stack}", points);

    private static Metric Findings(IEnumerable<NumberDataPoint> points) => Gauge("async2.findings", "Findings, by rule", "{finding}", points);

    private static NumberDataPoint Count(OtlpSeries series, long count, ulong time)
    {
        var point = new NumberDataPoint { TimeUnixNano = time, AsInt = count };
        series.AddTo(point.Attributes);
        return point;
    }

    private static NumberDataPoint Seconds(OtlpSeries series, double seconds, ulong time)
    {
        var point = new NumberDataPoint { TimeUnixNano = time, AsDouble = seconds };
        series.AddTo(point.Attributes);
        return point;
    }

    private static Metric Gauge(string name, string description, string unit, IEnumerable<NumberDataPoint> points) => new() { Name = name, Description = description, Unit = unit, Gauge = new Gauge { DataPoints = { points } } };
}
