using System.Collections.Immutable;
using Async2.Analysis.Analyses;
using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;
using Async2.Analysis.Query;

namespace Async2.Analysis.Watching;

/// <summary>
/// Looks at one process, one after the other: from each and the one before it follows what is stuck and what has moved, from all of them for how long, and
/// how groups grow. Pure: models in, views out. It keeps one model, and of the looks before it some numbers.
/// </summary>
/// <param name="options">Which stacks are shown.</param>
/// <param name="length">How many looks a trend has.</param>
public sealed class WatchSeries(AnalysisOptions options, int length = WatchSeries.TrendLength)
{
    /// <summary>How many looks a trend has, if nobody says.</summary>
    public const int TrendLength = 60;

    private readonly WatchTrends _trends = new(length);
    private readonly Dictionary<string, long> _findings = [];
    private WatchLook? _last;
    // Since when each stack of the last model is where it is.
    private long[] _since = [];

    /// <summary>Takes the next look.</summary>
    /// <param name="model">Read later than all before it.</param>
    /// <param name="cancellation">When set, the view is what was found until then.</param>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public WatchLook Add(AsyncModel model, CancellationToken cancellation = default)
    {
        AsyncModel? before = _last?.Model is { } earlier && earlier.Target.Pid == model.Target.Pid ? earlier : null;
        AsyncModel now = before is null ? model : EarlierLook.Join(before, model);
        long moment = MomentOf(model);
        StackPairs? pairs = Movement.Of(now)?.Pairs;
        long[] since = Since(model, pairs, moment);
        StackView view = TargetComparison.GroupsOf(now, options, cancellation);
        (string Key, LogicalStack Stack)[] shown = [.. view.Stacks.GroupBy(GroupChanges.KeyOf, StringComparer.Ordinal).Select(group => (group.Key, Joined([.. group])))];
        WatchChanges? changes = pairs is null ? null : new(_last!.Groups, shown, pairs);
        ImmutableArray<WatchGroup> groups = Groups(model, shown, view, changes, since, moment);
        _since = since;
        _last = new WatchLook
        {
            Number = (_last?.Number ?? 0) + 1,
            Moment = moment,
            // Not the joined one, which keeps the look before it.
            Model = model,
            View = view,
            Groups = groups,
            Changes = changes?.Total(groups.Select(group => group.Changes!)),
            Findings = Findings(view.Findings, moment),
        };
        return _last;
    }

    // The target's own clock stops with the machine, as what it waits for does.
    private static long MomentOf(AsyncModel model) => model.Target.Tick ?? model.Target.TakenAt?.ToUnixTimeMilliseconds() ?? 0;

    private long[] Since(AsyncModel model, StackPairs? pairs, long moment)
    {
        long[] since = new long[model.StackCount];
        for (int stack = 0; stack < since.Length; stack++)
            since[stack] = pairs?.OfAfter(stack) is { IsStuck: true } pair ? _since[pair.Before] : moment;
        return since;
    }

    // A row for each state would come and go. What is worst is shown, else what most of them do.
    private static LogicalStack Joined(LogicalStack[] alike) => alike.Length == 1 ? alike[0]
        : (alike.FirstOrDefault(stack => stack.State == StackState.Deadlocked) ?? alike.MaxBy(stack => stack.Count)!) with
        {
            Count = alike.Sum(stack => stack.Count),
            Members = [.. alike.SelectMany(stack => stack.Members)],
        };

    private ImmutableArray<WatchGroup> Groups(AsyncModel model, (string Key, LogicalStack Stack)[] shown, StackView view, WatchChanges? changes, long[] since, long moment)
    {
        WaitAges? ages = WaitAges.Of(model);
        HashSet<string> accused = [.. view.Findings.Where(finding => finding.Severity > Severity.Info).SelectMany(finding => finding.Stacks)];
        HashSet<string> keys = [.. view.Stacks.Where(stack => accused.Contains(stack.Id)).Select(GroupChanges.KeyOf)];
        _trends.Add(shown.Select(group => (group.Key, group.Stack.Count)));
        IEnumerable<WatchGroup> groups = shown.Select(group => new WatchGroup
        {
            Key = group.Key,
            Stack = group.Stack,
            Trend = _trends.Of(group.Key),
            Changes = changes?.Of(group.Key, group.Stack),
            StillMs = group.Stack.Members.Count == 0 ? 0 : moment - group.Stack.Members.Min(member => since[member]),
            Age = GroupAges.Of(ages, group.Stack.Members),
            IsAccused = keys.Contains(group.Key),
        });
        return options.Query.Sort == StackSorting.Age ? [.. groups]
            : [.. groups.OrderBy(group => group.Stack.Idle is not null).ThenByDescending(group => group.IsAccused).ThenByDescending(group => group.Stack.Count).ThenBy(group => group.Key, StringComparer.Ordinal)];
    }

    private ImmutableArray<WatchFinding> Findings(ImmutableArray<Finding> found, long moment)
    {
        foreach (string key in _findings.Keys.Except(found.Select(finding => finding.Key)).ToArray())
            _findings.Remove(key);
        foreach (Finding finding in found)
            _findings.TryAdd(finding.Key, moment);
        return [.. found.Select(finding => new WatchFinding(finding, moment - _findings[finding.Key]))];
    }
}
