using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Children;

/// <summary>
/// Waits for a process that waits itself: for room in a pipe that only this program reads, and has never asked for. Only seen in a process that runs: a dump
/// does not tell what another process does.
/// </summary>
internal static class UnreadOutput
{
    // Who else waits for it is counted.
    private const int PlaceLimit = 5;

    /// <summary>A wait is of this kind, and has no limit of time: nothing else has to be said of it.</summary>
    public static bool Explains(WaitReason reason) => StuckIn(reason) is not null;

    /// <summary>A finding for each place that waits, and each stream.</summary>
    public static IEnumerable<Finding> In(AnalysisInput input)
        => HangingFindings.Waits(input.Model, Explains).GroupBy(wait => (Place: input.Names.Of(wait.Node), StuckIn(wait.Reason)!.Stream))
            .Select(group => Describe(input, [.. group.Select(wait => wait.Node)], StuckIn(group.First().Reason)!, group.Key.Place));

    private static Finding Describe(AnalysisInput input, int[] nodes, ChildStream child, string place)
    {
        int[] stacks = [.. nodes.Select(input.Model.Graph.StackOf).Distinct()];
        string who = nodes.Length == 1 ? $"{place} waits for process {ProcessText.Number(child.Process)}" : $"{WaitNumbers.Times(stacks.Length, place)} wait for a process, as for {ProcessText.Number(child.Process)}";
        string writer = child.Other == child.Process ? "it" + (child.Name is null ? "" : $" ({child.Name})") : ProcessText.Of(child.Other, child.Name);
        return new Finding("deadlock", Severity.Error, Confidence.Likely, $"{who}, which is stuck: {writer} waits until its {child.Stream} is read, which is full, and nobody here has ever asked for it", [])
        {
            Members = [.. stacks],
            Rests = new() { Stacks = stacks },
            Evidence = [.. input.Names.Places(nodes, PlaceLimit, "waits for the process", "wait for the process").Select(step => step with { Relation = EdgeKind.BlockedOn, To = child.Resource })],
            DisprovedBy = "Somebody asks for the stream later (StandardOutput, StandardError, BeginOutputReadLine, BeginErrorReadLine): then it goes on when you look again.",
            Next = "Read standard output and standard error at the same time, before you wait for the end (BeginErrorReadLine, or two ReadToEndAsync that are awaited together); do not redirect what nobody reads.",
        }.WithHanging(input, nodes, isExplained: true);
    }

    private static ChildStream? StuckIn(WaitReason reason) => ChildStream.Of(reason, WaitFactKey.StuckWriter);
}
