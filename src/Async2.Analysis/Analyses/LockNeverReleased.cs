using System.Globalization;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// A permit that was taken and that nobody will give back: no suspended method owes it, as after an exception behind the acquisition; or a lock whose
/// owner thread has ended. Semaphores whose waiters do not give back what they get are signals, of which nothing is said.
/// </summary>
internal sealed class LockNeverReleased : IAnalysis
{
    private const int EvidenceLimit = 4;

    public string Rule => "lock-never-released";

    public IEnumerable<Finding> Find(AnalysisInput input)
        => input.Model.Facts.Holders.Locks.Where(known => IsLost(input.Model.Facts.Holders, known)).Select(known => (Known: known, Node: input.Model.Graph.Find(known.Lock)))
            .Where(found => found.Node >= 0 && input.Model.Graph[found.Node].ResourceKind is not (WaitKind.Event or WaitKind.Channel)).Select(found => OfSemaphore(input, found.Known, found.Node)).Where(finding => finding.Blocked > 0)
            .Concat(OfIterators(input)).Concat(OfDeadOwners(input)).OrderByDescending(finding => finding.Blocked).ThenBy(finding => finding.Text, StringComparer.Ordinal);

    private static bool IsLost(HolderFacts holders, LockRow known)
        => known is { Free: 0, Out: not 0, Use: LockUse.GivenBack, IsMoving: false } && holders.Undecided == 0 && !holders.HoldersOf(known.Lock).Any();

    private Finding OfSemaphore(AnalysisInput input, LockRow known, int node)
    {
        HolderFacts holders = input.Model.Facts.Holders;
        HolderRow[] takers = [.. holders.RowsOf(known.Lock)];
        // Without a maximum it may have had no permit from the beginning; who took one and keeps it may give it back in another way.
        Confidence confidence = known.Out > 0 && takers.Length == 0 && input.Model.Complete ? Confidence.Likely : Confidence.Possible;
        string taken = known.Out > 0 ? string.Create(CultureInfo.InvariantCulture, $"all {known.Out} permits of {input.Names.Of(node)} were taken and never returned") : $"{input.Names.Of(node)} has no permit left";
        return new Finding(Rule, confidence == Confidence.Likely ? Severity.Error : Severity.Warning, confidence,
            $"{(known.Out == 1 ? $"the permit of {input.Names.Of(node)} was taken and never returned" : taken)}: no method that is suspended or runs gives one back", [])
        {
            Members = [.. input.Model.Graph.StacksWaitingFor(node)],
            // A gate that is opened later does not move, either.
            Rests = new() { Queue = node, IsErrorIfLikely = true },
            Evidence = [.. takers.Take(EvidenceLimit).Select(taker => Taker(input, taker)), .. Waiters(input, node)],
            DisprovedBy = "Something else releases it: a callback, a timer, or an object that is disposed later.",
            Next = "Find each WaitAsync of it, and release in a finally that begins right behind: an exception or a return in between keeps the permit.",
        }.WithHanging(input, [node]);
    }

    private static Evidence Taker(AnalysisInput input, HolderRow row)
        => input.Names.Step(row.Node, $"{PlaceFormatter.Of(input.Model.Places[row.Place].Frame)} took a permit and does not return it");

    private static IEnumerable<Evidence> Waiters(AnalysisInput input, int node)
        => input.Names.Places(input.Model.Graph.EdgesTo(node).Where(edge => edge.Kind == EdgeKind.BlockedOn).Select(edge => edge.From), EvidenceLimit, "waits for it", "wait for it")
            .Select(step => step with { Relation = EdgeKind.BlockedOn, To = input.Model.Graph[node].Address });

    // Somebody may ask it for more at any time: a page for each click of a user, say.
    private IEnumerable<Finding> OfIterators(AnalysisInput input)
    {
        HolderFacts holders = input.Model.Facts.Holders;
        foreach (LockRow known in holders.Locks.Where(known => known is { Free: 0, Use: LockUse.Iterated, IsMoving: false } && holders.Undecided == 0 && !holders.HoldersOf(known.Lock).Any()))
        {
            if (input.Model.Graph.Find(known.Lock) is not (>= 0 and var node) || input.Stuck.StacksBehind([node]) is not { Count: > 0 } behind)
                continue;
            string who = input.Model.Graph.ReasonOf(node)?.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.HolderPlace).Text ?? "an async iterator";
            yield return new Finding(Rule, Severity.Warning, Confidence.Possible, $"{who} holds {input.Names.Of(node)} at a yield, between two elements, and no method that is suspended or runs goes on with it", [])
            {
                Blocked = behind.Count,
                Hanging = behind,
                Members = [.. input.Model.Graph.StacksWaitingFor(node)],
                Evidence = [.. Waiters(input, node)],
                DisprovedBy = "Somebody asks it for the next element, or disposes it, later.",
                Next = "Read it with await foreach, or dispose its enumerator in a finally (await using): what it holds it gives back only then. Do not hold a lock over a yield.",
            };
        }
    }

    // The lock notes its owner, and no live thread is that.
    private IEnumerable<Finding> OfDeadOwners(AnalysisInput input)
    {
        foreach (IGrouping<ulong, WaitReason> waits in input.Model.Facts.Blocked.OrderBy(pair => pair.Key).Select(pair => pair.Value).Where(HasDeadOwner).GroupBy(reason => reason.Resource))
        {
            if (input.Model.Graph.Find(waits.Key) is not (>= 0 and var node))
                continue;
            if (input.Stuck.Has(node))
                continue;
            // A thread that lives could still be made to release it, by code that it will call some day.
            bool hasEnded = !IsLeftBehind(waits.First());
            yield return new Finding(Rule, Severity.Error, hasEnded ? Confidence.Certain : Confidence.Likely, hasEnded ? $"the thread that holds {input.Names.Of(node)} has ended without releasing it"
                : $"{Owner(waits.First())} holds {input.Names.Of(node)}, and no method on its stack releases it", [])
            {
                Members = [.. input.Model.Graph.StacksWaitingFor(node)],
                Evidence = [.. Waiters(input, node)],
                DisprovedBy = hasEnded ? null : "The thread releases it in something that it will call: the waiters move when you look again.",
                Rests = hasEnded ? null : new() { Stacks = [.. input.Model.Graph.StacksWaitingFor(node)] },
                Next = hasEnded ? "Release it in a finally, or use the lock statement: a lock is not released when its thread ends."
                    : "Release it in a finally, or use the lock statement. Do not await between Monitor.Enter and Exit: the method goes on in another thread, which does not own the lock.",
            }.WithHanging(input, [node]);
        }
    }

    private static bool IsLeftBehind(WaitReason reason) => reason.Shared.Any(fact => fact.Key == WaitFactKey.NotReleasedBy);

    private static string Owner(WaitReason reason) => string.Create(CultureInfo.InvariantCulture, $"thread {reason.Owner}");

    private static bool HasDeadOwner(WaitReason reason) => IsLeftBehind(reason) || reason is { Kind: WaitKind.Lock, Resource: not 0 }
        && reason.Shared.Any(fact => fact.Key == WaitFactKey.HeldByEndedThread || (fact.Key == WaitFactKey.HeldByOSThread && reason.Owner is null));
}
