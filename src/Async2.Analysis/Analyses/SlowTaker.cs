using Async2.Analysis.Analyses.Children;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// Who has a lock for which others wait, and waits itself until the other end of a connection takes what is sent: one client that does not read holds up all. So does a process that
/// does not read what this one prints. What goes out is pending only while the system has no room for it.
/// </summary>
internal static class SlowTaker
{
    private const int PlaceLimit = 4;

    /// <summary>A finding for each such lock of which nothing worse is known.</summary>
    public static IEnumerable<Finding> In(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        for (int node = 0; node < model.Graph.Count; node++)
        {
            if (model.Graph.KindOf(node) != AsyncNodeKind.Resource || model.Graph.WaitersOf(node) == 0 || model.Graph[node].ResourceKind is not (WaitKind.Lock or WaitKind.Semaphore))
                continue;
            Edge[] held = [.. model.Graph.EdgesFrom(node).Where(edge => edge.Kind == EdgeKind.HeldBy)];
            if (held.Length == 0)
                continue;
            WaitEnd[] ends = [.. held.Select(edge => WaitEnd.Of(model, edge.To))];
            if (Array.TrueForAll(ends, end => OtherOf(model, end) is not null) && !IsKnown(input, [.. model.Graph.StacksWaitingFor(node)]))
                yield return Describe(input, node, held[0].To, ends[0]);
        }
    }

    private static Finding Describe(AnalysisInput input, int node, int holder, WaitEnd end)
    {
        AsyncModel model = input.Model;
        string who = input.Names.HolderName(holder, node), what = input.Names.Of(node);
        (string other, bool isPipe) = OtherOf(model, end)!.Value;
        int[] waiting = [.. model.Graph.StacksWaitingFor(node)];
        return new Finding("slow-dependency", Severity.Warning, Confidence.Possible, $"{who} holds {what}, for which {WaitNumbers.Count(waiting.Length, "stack")} {(waiting.Length == 1 ? "waits" : "wait")}, and waits until {other}", [])
        {
            Members = [.. waiting.Append(model.Graph.StackOf(model.Graph.ActingFor(holder))).Where(stack => stack >= 0).Distinct()],
            Rests = new() { Queue = node, IfStill = Confidence.Likely, IsLoadIfMoved = true },
            Evidence =
            [
                input.Names.Step(model.Graph.ActingFor(holder), $"{who} holds it and {(isPipe ? "writes to the pipe" : $"waits for {end.Text}")}"),
                .. input.Names.Places(waiting.Select(stack => model.Stacks.NodeOf(stack, 0)), PlaceLimit, "waits for it", "wait for it").Select(step => step with { Relation = EdgeKind.BlockedOn, To = model.Graph[node].Address }),
            ],
            DisprovedBy = "The other end reads again: others have got it when you look again.",
            Next = isPipe ? "Have it read, or print to a file; do not print while holding a lock: give what is printed to a queue with a bound, which one place empties."
                : "Do not send while holding a lock: note who is to get it, let go, and send then; give each receiver a queue of its own with a bound, and each send a limit of time.",
        }.WithHanging(input, [node]);
    }

    // What the other end has to do, if it is that which has to act.
    private static (string Does, bool IsPipe)? OtherOf(AsyncModel model, WaitEnd end)
    {
        if (end.Progress != WaitProgress.Outside || model.Graph.StackOf(end.Node) is not (>= 0 and var stack))
            return null;
        for (WaitReason? level = model.ReasonOf(stack); level is not null; level = level.Behind)
        {
            if (level.EndsByItself)
                return null;
            string? remote = level.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.RemoteTarget).Text;
            if (level is { Kind: WaitKind.Socket, Action: WaitAction.Send or WaitAction.SendPackets })
                return ($"{remote ?? "the other end of a socket"} takes what is sent", false);
            if (level is { Kind: WaitKind.Pipe, Action: WaitAction.Flush } && remote is not null)
                return (remote + " takes what is sent", false);
            if (OwnOutput.Of(level) is { } full)
                return ($"{full.Reader} reads {full.Pipe}, a pipe that is full", true);
        }
        return null;
    }

    private static bool IsKnown(AnalysisInput input, HashSet<int> waiting) => input.Found.Any(finding => finding.Severity > Severity.Info && finding.Members.Any(waiting.Contains));
}
