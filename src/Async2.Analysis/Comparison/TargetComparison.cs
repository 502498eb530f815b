using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;

namespace Async2.Analysis.Comparison;

/// <summary>Compares two models of one program.</summary>
public static class TargetComparison
{
    /// <summary>What became of the stacks of the earlier one.</summary>
    /// <param name="before">The earlier one.</param>
    /// <param name="after">The later one.</param>
    /// <param name="options">Which stacks, and how they are shown; each stack of a group counts, whether equal ones are grouped or not.</param>
    /// <param name="cancellation">When set, what was compared until then is returned, marked incomplete.</param>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public static TargetDiff Compare(AsyncModel before, AsyncModel after, AnalysisOptions options, CancellationToken cancellation = default)
    {
        StackView was = GroupsOf(before, options, cancellation), now = GroupsOf(after, options, cancellation);
        bool isOneProcess = IsOneProcess(before.Target, after.Target);
        bool? collected = null;
        StackPairs? pairs = isOneProcess ? StackPairs.Between(before, after, out collected) : null;
        var groups = new GroupChanges(before, after, pairs);
        groups.Add(was.Stacks, now.Stacks);
        ImmutableArray<DiffGroup> all = groups.Finish();
        return new TargetDiff
        {
            Before = before.Target,
            After = after.Target,
            ApartMs = Apart(before.Target, after.Target),
            Collected = collected,
            Filter = now.Matching?.Filter,
            Totals = groups.Totals,
            Groups = all,
            Moves = groups.Moves,
            Findings = FindingsOf(was.Findings, now.Findings),
            Queues = QueuesOf(before, after),
            Problems = [.. Problems(was, now, isOneProcess)],
            Complete = was.Complete && now.Complete,
        };
    }

    /// <summary>Milliseconds from one target to another, by the target's own clock if both have it; null if neither clock tells.</summary>
    public static long? Apart(TargetFacts earlier, TargetFacts later) => later.Tick - earlier.Tick ?? (long?)(later.TakenAt - earlier.TakenAt)?.TotalMilliseconds;

    /// <summary>All groups of a model that the options ask for: a limit would make those of two models differ.</summary>
    internal static StackView GroupsOf(AsyncModel model, AnalysisOptions options, CancellationToken cancellation)
        => StackAnswer.Of(model, options.Query with { Limit = null, GroupBy = null }, (options with { Coalesce = true, Locals = false }).ForView(null), cancellation);

    // Two dumps of one process have its id; a server that is restarted has another one.
    private static bool IsOneProcess(TargetFacts before, TargetFacts after) => before.Pid is null || after.Pid is null || before.Pid == after.Pid;

    private static IEnumerable<Problem> Problems(StackView was, StackView now, bool isOneProcess)
    {
        if (!isOneProcess)
            yield return new(ProblemCodes.OtherProcess, "the two are not the same process: only numbers of equal stacks are compared, not operations");
        foreach (Problem problem in was.Problems)
            yield return problem with { Text = "before: " + problem.Text };
        foreach (Problem problem in now.Problems)
            yield return problem with { Text = "after: " + problem.Text };
    }

    private static ImmutableArray<FindingChange> FindingsOf(ImmutableArray<Finding> was, ImmutableArray<Finding> now)
    {
        HashSet<string> before = [.. was.Select(finding => finding.Key)], after = [.. now.Select(finding => finding.Key)];
        return
        [
            .. now.Where(finding => before.Contains(finding.Key)).Select(finding => new FindingChange(FindingFate.Still, finding)),
            .. now.Where(finding => !before.Contains(finding.Key)).Select(finding => new FindingChange(FindingFate.New, finding)),
            .. was.Where(finding => !after.Contains(finding.Key)).Select(finding => new FindingChange(FindingFate.Gone, finding)),
        ];
    }

    // By name: addresses change, and a lock without a name is known to nobody.
    private static ImmutableArray<QueueChange> QueuesOf(AsyncModel before, AsyncModel after)
    {
        Dictionary<string, long> was = Waiters(before), now = Waiters(after);
        return
        [
            .. was.Keys.Union(now.Keys).Select(name => new QueueChange(name, was.GetValueOrDefault(name), now.GetValueOrDefault(name))).Where(queue => queue.Before != queue.After)
                .OrderByDescending(queue => queue.After - queue.Before).ThenBy(queue => queue.Name, StringComparer.Ordinal),
        ];
    }

    private static Dictionary<string, long> Waiters(AsyncModel model)
    {
        var waiters = new Dictionary<string, long>();
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            if (model.ResourceOf(stack)?.Name is { } name)
                waiters[name] = waiters.GetValueOrDefault(name) + 1;
        }
        return waiters;
    }
}
