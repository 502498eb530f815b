using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Children;

/// <summary>
/// Waits for all that a process prints, which has ended: another process, which it has started, has inherited its output and keeps it open, a server in the background, say. Only seen in a
/// process that runs: a dump does not tell what others have open.
/// </summary>
internal static class KeptOutput
{
    // Who else waits for it is counted.
    private const int PlaceLimit = 5;

    // Methods that go on only at the end of the output: Process.WaitForExit, StreamReader.ReadToEnd, Stream.CopyTo, and what these call.
    private static readonly string[] ToTheEnd = ["WaitForExit", "ReadToEnd", "CopyTo"];

    // Reads lines for events, and nothing but its end can be awaited. Of a thread in Process.WaitForExit that is all that is seen (System.Diagnostics.Process 10.0.12).
    private const string LineReader = "System.Diagnostics.AsyncStreamReader";

    /// <summary>A finding for each place that waits, and each stream.</summary>
    public static IEnumerable<Finding> In(AnalysisInput input)
        => HangingFindings.Waits(input.Model, reason => KeptIn(reason) is not null).Where(wait => Explains(input.Model, input.Model.Graph.StackOf(wait.Node), wait.Reason))
            .GroupBy(wait => (Place: input.Names.Of(wait.Node), KeptIn(wait.Reason)!.Stream))
            .Select(group => Describe(input, [.. group.Select(wait => wait.Node)], KeptIn(group.First().Reason)!, group.Key.Place));

    /// <summary>A wait is of this kind: nothing else has to be said of it.</summary>
    /// <param name="model">The model.</param>
    /// <param name="stack">Who waits: for the end, and not for the next line.</param>
    /// <param name="reason">Why.</param>
    public static bool Explains(AsyncModel model, int stack, WaitReason reason)
    {
        if (KeptIn(reason) is null)
            return false;
        FramePlace[] places = [.. model.Stacks.ShapeOf(stack).Places.Select(place => model.Places[place])];
        bool hasUser = places.Any(place => place.Origin == FrameOrigin.User);
        return places.Any(place => place.Origin != FrameOrigin.User && (Array.Exists(ToTheEnd, end => place.Frame.Name?.StartsWith(end, StringComparison.Ordinal) == true) || (hasUser && place.Frame.Type == LineReader)));
    }

    private static Finding Describe(AnalysisInput input, int[] nodes, ChildStream kept, string place)
    {
        int[] stacks = [.. nodes.Select(input.Model.Graph.StackOf).Distinct()];
        string who = stacks.Length == 1 ? $"{place} waits for the end of the {kept.Stream} of process {ProcessText.Number(kept.Process)}" : $"{WaitNumbers.Times(stacks.Length, place)} wait for the end of the {kept.Stream} of a process, as of {ProcessText.Number(kept.Process)}";
        return new Finding("slow-dependency", Severity.Warning, Confidence.Possible, $"{who}, which has ended; {ProcessText.Of(kept.Other, kept.Name)} still has it open", [])
        {
            Members = [.. stacks],
            Rests = new() { Stacks = stacks, IfStill = Confidence.Likely },
            Evidence = [.. input.Names.Places(nodes, PlaceLimit, "waits for the end of the output", "wait for the end of the output").Select(step => step with { Relation = EdgeKind.BlockedOn, To = kept.Resource })],
            DisprovedBy = "That process ends soon, or closes it: the waiters move when you look again.",
            Next = "Do not redirect the output of what starts processes in the background (build servers, daemons), or have it start them with outputs of their own; or wait for the exit alone: WaitForExit with a limit, and without BeginOutputReadLine.",
        }.WithHanging(input, nodes, isExplained: true);
    }

    private static ChildStream? KeptIn(WaitReason reason) => ChildStream.Of(reason, WaitFactKey.KeptOpenBy);
}
