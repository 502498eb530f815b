using System.Globalization;
using Async2.Analysis.Analyses.Children;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Analyses.Cycles;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>Cycles of waits, those of a process and its child's output and of full Dataflow blocks included: awaits, blocking waits, locks, class initializers, joins, combinators, and permits of async locks whose holder is inferred.</summary>
internal sealed class Deadlock : IAnalysis
{
    public string Rule => "deadlock";

    public IEnumerable<Finding> Find(AnalysisInput input) => CycleFindings.In(input, cycle => cycle.Context(input.Model) is null).Select(found => new Finding(Rule, Severity.Error, found.Confidence, found.Text, [])
    {
        Blocked = found.Behind.Count,
        Members = [.. found.Members],
        Behind = [.. found.Behind],
        Hanging = found.Behind,
        Rests = found.Rests,
        Evidence = [.. found.Steps],
        DisprovedBy = found.Confidence == Confidence.Certain ? null : IsOfRequests(input.Model, found.Cycle) ? "The timeout of HttpClient ends the wait with an error (after 100 s, unless it was set), or the request that is handled comes from another program: the waiters move when you look again."
            : IsOfCode(input.Model, found.Cycle) ? "Other code completes it: the waiters move when you look again." : IsOfReplies(input.Model, found.Cycle)
            ? "Something else takes messages out of the channel: the waiters move when you look again." : IsOfSignals(input.Model, found.Cycle) ? "Other code gives the signal: the waiters move when you look again." : "Another holder gives the permit back: the free count rises, or the waiters move, when you look again.",
        Next = Advice(input.Model, found.Cycle),
    }).Concat(UnreadOutput.In(input)).Concat(FullConnections.In(input)).Concat(StuckBlocks.Rings(input));

    private static bool IsOfReplies(AsyncModel model, WaitCycle cycle) => cycle.Hops.Any(hop => ReplyText.Of(model, hop) is not null);

    private static bool IsOfCode(AsyncModel model, WaitCycle cycle) => cycle.Hops.Any(hop => ReplyText.Of(model, hop) is { IsByCode: true });

    private static bool IsOfRequests(AsyncModel model, WaitCycle cycle) => cycle.Hops.Any(hop => ReplyText.Of(model, hop) is { Kind: ReplyKind.Request });

    private static bool IsOfSignals(AsyncModel model, WaitCycle cycle) => cycle.Hops.Any(hop => hop.Via >= 0 && model.Graph[hop.Via].ResourceKind == WaitKind.Event);

    private static string Advice(AsyncModel model, WaitCycle cycle)
    {
        if (cycle.Hops.All(hop => hop.Edges.All(edge => edge.Kind is EdgeKind.Awaits or EdgeKind.PartOf)))
            return "One of them must not await the other: split off what both need, or pass it in.";
        if (IsOfRequests(model, cycle))
            return "A handler must not call its own server for something that needs what it holds, or what its caller waits for: call the method itself, let go of it before, or wait with a limit (HttpClient.Timeout).";
        if (cycle.Hops.Any(hop => ReplyText.Of(model, hop) is { IsRoom: true } row && ReplyText.KindOf(model, row) == WaitKind.Pipe))
            return "Who fills a pipe waits until it is read: read all that it fills at the same time (Task.WhenAll), do not wait for anything else in between, or give the pipes more room (PipeOptions.PauseWriterThreshold).";
        if (cycle.Hops.Any(hop => ReplyText.Of(model, hop) is { IsRoom: true }))
            return "A loop that reads a channel must not wait for anything that waits for room in it: write without waiting (TryWrite, TryAdd) and keep what does not fit, give one of them no bound, or put in less than is taken out.";
        if (cycle.Hops.Any(hop => ReplyText.Of(model, hop) is { } row && ReplyText.IsOfService(model, row)))
            return "A host starts its services one after the other, in the order in which they were added: add the one that completes it first, or do not wait in StartAsync (a BackgroundService waits in ExecuteAsync). ApplicationStarted comes when all have started, and ApplicationStopped when all have stopped.";
        if (IsOfCode(model, cycle) && cycle.Hops.Count == 1)
            return "Who waits for it is who would bring it about, so it never comes: do not wait there (a callback must not wait for its own end), or have somebody else do it.";
        if (IsOfCode(model, cycle) || IsOfSignals(model, cycle))
            return "What completes a promise, or gives a signal, must not need what its waiter holds: let go of that before you wait, or complete it first; or wait with a limit (WaitAsync).";
        if (IsOfReplies(model, cycle))
            return "A loop that handles one message at a time must not wait for the answer of one that may ask it back, or its own: send the answer as a message (Post), or wait with a limit (WaitAsync).";
        if (cycle.Hops is [{ Via: >= 0 and var via }] && model.Graph.KindOf(via) == AsyncNodeKind.Thread)
            return "A thread must not join itself. Often a continuation runs on the thread that has completed a promise: make that with RunContinuationsAsynchronously, or join only if Thread.CurrentThread is another one.";
        int[] held = [.. cycle.Hops.Where(hop => hop.Via >= 0 && model.Graph[hop.Via].Kind == AsyncNodeKind.Resource).Select(hop => hop.Via).Distinct()];
        if (held.Length == 1 && cycle.Hops.Count == 1)
            return $"It holds what it waits for: a {(model.Graph[held[0]].ResourceKind == WaitKind.Channel ? "pool may have nothing left to lend" : "semaphore is not re-entrant")}. Pass what is held to the inner call, or split off a part that expects it to be held.";
        return held.Length == cycle.Hops.Count
            ? "Take them in the same order everywhere, or hold only one at a time."
            : "Do not await or block for work while holding a lock that this work needs: release it before, or do the work first.";
    }
}

/// <summary>What rules about cycles have in common.</summary>
/// <param name="Cycle">It.</param>
/// <param name="Confidence">As sure as the least certain edge of it.</param>
/// <param name="Text">The sentence.</param>
/// <param name="Members">Stacks in it.</param>
/// <param name="Behind">Stacks that hang on it, these included.</param>
/// <param name="Steps">Its evidence.</param>
/// <param name="Rests">What a second look tells: who waits in a cycle stays there. A holder that could not be decided may give something back later.</param>
internal sealed record CycleFindings(WaitCycle Cycle, Confidence Confidence, string Text, IReadOnlyList<int> Members, IReadOnlyList<int> Behind, IReadOnlyList<Evidence> Steps, Standstill Rests)
{
    /// <summary>A finding for each cycle that a rule is about, and one for all that differ only in objects and threads: those of requests, say.</summary>
    public static IEnumerable<CycleFindings> In(AnalysisInput input, Func<WaitCycle, bool> isOwn)
    {
        HashSet<ulong> lost = input.Model.Facts.AwaitedByOrphans(isSure: true);
        foreach (var alike in input.Cycles.Where(isOwn).Select(cycle => (Cycle: cycle, Text: new CycleText(input.Model, input.Names, cycle), Confidence: ConfidenceOf(input, cycle, lost))).GroupBy(found => (found.Confidence, found.Text.Likeness())))
        {
            (WaitCycle cycle, CycleText text, Confidence confidence) = alike.First();
            int[] members = [.. alike.SelectMany(found => found.Text.Stacks()).Distinct().Order()];
            string more = alike.Count() is > 1 and var count ? string.Create(CultureInfo.InvariantCulture, $"; and {count - 1:N0} more cycles like it") : "";
            yield return new(cycle, confidence, text.Sentence() + more, members, [.. alike.SelectMany(found => input.Stuck.StacksBehind(found.Cycle.Part)).Distinct().Order()], [.. text.Steps()],
                new() { Stacks = members, IfStill = input.Model.Facts.Holders.Undecided == 0 ? Confidence.Likely : null });
        }
    }

    // What is done with any of several is stuck because all of them are: the cycle shows one.
    private static Confidence ConfidenceOf(AnalysisInput input, WaitCycle cycle, HashSet<ulong> lost)
    {
        Edge[] edges = [.. cycle.Hops.SelectMany(hop => hop.Edges)];
        return edges.Concat(edges.Where(edge => edge.From >= input.Model.Awaits.Count && edge.From < input.Model.Awaits.Size && input.Model.Awaits.NeedsAny(edge.From)).SelectMany(edge => input.Stuck.AllNeedsOf(edge.From)))
            .Min(edge => ConfidenceOf(input.Model, edge, lost));
    }

    private static Confidence ConfidenceOf(AsyncModel model, Edge edge, HashSet<ulong> lost) => edge.Source switch
    {
        EdgeSource.Inferred when edge.Kind == EdgeKind.HeldBy => ReplyText.Of(model, edge)?.Confidence ?? Confidence.Likely,
        EdgeSource.Inferred => Confidence.Likely,
        // What nobody else has: only which of its waiters would end the wait is read from code.
        EdgeSource.AcquiredByCode or EdgeSource.PerhapsAcquiredByCode or EdgeSource.ReleasedByCode => lost.Contains(model.Graph[edge.From].Address) ? Confidence.Likely : model.Facts.Holders.ConfidenceOf(model.Graph[edge.From].Address, edge.To),
        _ => Confidence.Certain,
    };
}
