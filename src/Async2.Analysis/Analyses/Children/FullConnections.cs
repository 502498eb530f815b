using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Children;

/// <summary>
/// Connections of the program with itself on which both ends send, and neither takes what it has got: each waits until the other one reads. Only seen in a process that runs on Linux, where the system
/// says which connections are that.
/// </summary>
internal static class FullConnections
{
    /// <summary>A finding for each such connection.</summary>
    public static IEnumerable<Finding> In(AnalysisInput input)
    {
        for (int stack = 0; stack < input.Model.StackCount; stack++)
        {
            if (Has(input.Model, stack) && OtherEnds.Of(input.Model, stack) is var other && other > stack)
                yield return Describe(input, stack, other);
        }
    }

    /// <summary>A stack waits for such a connection: nothing else has to be said of it.</summary>
    public static bool Has(AsyncModel model, int stack) => model.ReasonOf(stack) is { Kind: WaitKind.Socket, Action: WaitAction.Send } reason && reason.Shared.Any(fact => fact.Key == WaitFactKey.OtherEnd);

    private static Finding Describe(AnalysisInput input, int stack, int other)
    {
        AsyncModel model = input.Model;
        int[] both = [stack, other], nodes = [.. both.Select(one => model.Stacks.NodeOf(one, 0))];
        return new Finding("deadlock", Severity.Error, Confidence.Possible,
            $"{input.Names.Of(nodes[0])} waits until what it sends is taken, and {input.Names.Of(nodes[1])}, at the other end, waits for the same: neither takes what has come to it, and there is no room for more", [])
        {
            Members = [.. both],
            Rests = new() { Stacks = both },
            Evidence = [.. both.Select((_, i) => input.Names.Step(nodes[i], "sends") with { Relation = EdgeKind.BlockedOn, To = model.ReasonOf(both[1 - i])!.Resource })],
            DisprovedBy = "Somebody reads at one of the ends, and is doing something else for now: then they move when you look again.",
            Next = "Read while you write: begin to read answers before the first request is sent, or send no more requests at once than both ends have room for.",
        }.WithHanging(input, nodes, isExplained: true);
    }
}
