using System.Collections.Immutable;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Gates;

/// <summary>Decides whether an answer passes.</summary>
/// <param name="failOn">What it fails on; empty for every error that is likely.</param>
/// <param name="known">Keys of findings that do not count.</param>
/// <param name="maxGroup">More equal stacks that wait are too many; null for any number.</param>
internal sealed class Gate(ImmutableArray<FailOn> failOn, IReadOnlySet<string> known, int? maxGroup)
{
    /// <param name="view">What was found, after one look or several.</param>
    public GateResult Judge(StackView view)
    {
        var failures = new List<string>();
        ImmutableArray<Finding> reported = [.. view.Findings.Where(finding => !known.Contains(finding.Key))];
        foreach (Finding finding in reported.Where(Fails))
            failures.Add($"{finding.Rule} ({DisplayText.Of(finding.Confidence)}): {finding.Text}");
        foreach (LogicalStack stack in view.Stacks.Where(stack => stack.Count > maxGroup && stack.Idle is null))
            failures.Add($"{DisplayText.Number(stack.Count)} stacks alike, more than {DisplayText.Number(maxGroup!.Value)}: {StackEnds.WaitOf(stack) ?? stack.Frames[0].Method} ({stack.Id})");
        if (view.Target.Looks > 1)
            failures.AddRange(Stuck(view));
        return new(failures, reported, view.Findings.Length - reported.Length);
    }

    private bool Fails(Finding finding) => failOn.IsEmpty ? FindingRules.IsAlarm(finding) : failOn.Any(rule => rule.Matches(finding));

    // In all looks. Waiting for long is what idle servers and timers do. Who still stands before the same lock, semaphore or pool has not moved.
    private static IEnumerable<string> Stuck(StackView view)
        => view.Stacks.Where(stack => Contends(stack) && stack.Age is { Clock: AgeClock.TwoLooks } age && age.AtLeastMs >= view.Target.ApartMs)
            .Select(stack => $"stuck: {(stack.Age!.Stacks > 1 ? DisplayText.Number(stack.Age.Stacks) + "x " : "")}{(stack.Frames.Count > 0 ? stack.Frames[0].Method : "unknown code")} still waits for {stack.WaitingOn!.FullText} ({stack.Id})");

    private static bool Contends(LogicalStack stack) => stack is { Idle: null, WaitingOn.IsContended: true };
}

/// <summary>What a gate says.</summary>
/// <param name="Failures">One sentence for each reason to fail; empty if it passes.</param>
/// <param name="Reported">The findings that are not known.</param>
/// <param name="Known">How many are.</param>
internal sealed record GateResult(IReadOnlyList<string> Failures, ImmutableArray<Finding> Reported, int Known);
