using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// Waits for Dataflow blocks whose items do not go on: linked to nothing, held up by a first item that fits none of the links, or linked in a ring in which all are full. And for the end
/// of one that nobody tells to complete.
/// </summary>
internal static class StuckBlocks
{
    // Who else waits for it is counted.
    private const int PlaceLimit = 5;

    // What says more comes first.
    private static readonly WaitFactKey[] Keys = [WaitFactKey.LinkedInRing, WaitFactKey.FitsNoLink, WaitFactKey.Unlinked, WaitFactKey.StillOpen];

    /// <summary>Nothing else has to be said of such a wait.</summary>
    public static bool Explains(WaitReason reason) => StopOf(reason) is not null;

    /// <summary>Blocks that are full, or have been told to complete, and whose items nobody takes: a finding for each place that waits.</summary>
    public static IEnumerable<Finding> Untaken(AnalysisInput input, HashSet<int> said)
    {
        var nobodys = input.Model.Facts.Nobodys.ToHashSet();
        return Waits(input, said, (reason, stop) => stop.Key != WaitFactKey.LinkedInRing && (nobodys.Contains(reason.Resource) || reason.Shared.All(fact => fact.Key is not (WaitFactKey.Unlinked or WaitFactKey.StillOpen))))
            .Select(group => Describe(input, "orphan", [.. group]));
    }

    /// <summary>Blocks that wait for room in each other.</summary>
    public static IEnumerable<Finding> Rings(AnalysisInput input)
        => Waits(input, [], (_, stop) => stop.Key == WaitFactKey.LinkedInRing).Select(group => Describe(input, "deadlock", [.. group]));

    private static IEnumerable<IGrouping<(string Place, ulong Block), BlockWait>> Waits(AnalysisInput input, HashSet<int> said, Func<WaitReason, WaitFact, bool> isMeant)
        => HangingFindings.Waits(input.Model, reason => StopOf(reason) is { } stop && isMeant(reason, stop)).Where(wait => !said.Contains(input.Model.Graph.StackOf(wait.Node)))
            .Select(wait => new BlockWait(wait.Node, wait.Reason, StopOf(wait.Reason)!.Value)).GroupBy(row => (input.Names.Of(row.Node), row.Reason.Resource));

    private static Finding Describe(AnalysisInput input, string rule, BlockWait[] waits)
    {
        int[] nodes = [.. waits.Select(row => row.Node)], stacks = [.. nodes.Select(input.Model.Graph.StackOf).Distinct()];
        (int first, WaitReason reason, WaitFact stop) = waits[0];
        string block = input.Model.Graph.Find(reason.Resource) is >= 0 and var resource ? input.Names.Of(resource) : $"a {reason.Subject}";
        string what = reason.Action == WaitAction.Completion ? $"the end of {block}" : $"room in {block}";
        // A program that waits in Main for a block that it feeds no more may want to stay.
        bool isOpen = stop.Key == WaitFactKey.StillOpen, isMain = input.Names.FrameOf(first)?.Name is "Main" or "<Main>$";
        return new Finding(rule, !isOpen ? Severity.Error : isMain ? Severity.Info : Severity.Warning, isOpen ? Confidence.Possible : Confidence.Likely, $"{WaitNumbers.Times(stacks.Length, input.Names.Of(first))} {(stacks.Length == 1 ? "waits" : "wait")} for {what}, and {Why(stop)}", [])
        {
            Members = [.. stacks],
            Rests = new() { Stacks = stacks },
            Evidence = [.. input.Names.Places(nodes, PlaceLimit, $"waits for {what}", $"wait for {what}").Select(step => step with { Relation = EdgeKind.BlockedOn, To = reason.Resource })],
            DisprovedBy = isOpen ? "Code that is called by name, or from outside of .NET, sends to it or completes it: the waiters move when you look again." : stop.Key == WaitFactKey.LinkedInRing ? "Code takes items out of one of them: the waiters move when you look again." : "It is linked to one more block later: the waiters move when you look again.",
            Next = stop.Key switch
            {
                WaitFactKey.FitsNoLink => "End its links with one that takes everything else: LinkTo(DataflowBlock.NullTarget<T>()) without a predicate, after the others.",
                WaitFactKey.Unlinked => "Link its output (LinkTo, DataflowBlock.NullTarget<T>()), or receive it, before you wait. A block that has failed or was completed is no longer linked: look at its Completion, and hand its failure on to who sends.",
                WaitFactKey.StillOpen => "Complete the first block when its last item was sent, and link the others with PropagateCompletion; of several sources, complete the target when all of them have ended (Task.WhenAll).",
                _ => "Leave one of the links without a bound, or let one of the blocks drop or hand elsewhere what does not fit.",
            },
        }.WithHanging(input, nodes, isExplained: true);
    }

    private static string Why(in WaitFact stop) => stop.Key switch
    {
        WaitFactKey.FitsNoLink => $"the first item {(stop.Text is null ? "in it" : $"in {stop.Text}, on which that hangs,")} {(stop.Number == 1 ? "does not fit the predicate of its only link" : $"fits none of its {WaitNumbers.Count(stop.Number, "link")}")}, so all others wait",
        WaitFactKey.Unlinked => $"{(stop.Text is null ? "it" : $"{stop.Text}, on which that hangs,")} is linked to nothing, and no code takes anything out of it",
        WaitFactKey.StillOpen => $"{(stop.Text is null ? "it" : stop.Text + ", on which that hangs,")} was not told to complete, and no code that runs, is suspended or is called back does so, or sends anything to it",
        _ => $"{(stop.Text is null ? "it" : $"{stop.Text}, on which that hangs,")} is linked in a ring of {WaitNumbers.Count(stop.Number, "block")}, all of them full: each waits for room in the next",
    };

    private static WaitFact? StopOf(WaitReason reason)
    {
        if (reason.Kind != WaitKind.Channel || reason.EndsByItself)
            return null;
        WaitFact? found = null;
        foreach (WaitFact fact in reason.Shared)
        {
            if (Array.IndexOf(Keys, fact.Key) is >= 0 and var rank && (found is null || rank < Array.IndexOf(Keys, found.Value.Key)))
                found = fact;
        }
        return found;
    }

    private readonly record struct BlockWait(int Node, WaitReason Reason, WaitFact Stop);
}
