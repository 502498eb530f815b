using System.Globalization;
using System.Text.RegularExpressions;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Analyses.Cycles;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>What is said of a cycle of waits: its sentence, its steps and its stacks.</summary>
internal sealed partial class CycleText
{
    // More clauses are read by nobody; the evidence has all.
    private const int ClauseLimit = 6;

    private readonly AsyncModel _model;
    private readonly NodeText _names;
    private readonly WaitCycle _cycle;
    private readonly HashSet<string> _shared;
    private readonly string[] _clauses;

    // Of a cycle of nothing but awaits.
    private readonly IReadOnlyList<AwaitStep> _awaits;

    public CycleText(AsyncModel model, NodeText names, WaitCycle cycle)
    {
        (_model, _names, _cycle) = (model, names, cycle);
        _shared = SharedNames();
        _awaits = cycle.Hops.All(hop => hop.IsAwait) ? [.. AwaitSteps()] : [];
        _clauses = [.. Enumerable.Range(0, cycle.Hops.Count).Select(Clause)];
    }

    /// <summary>All of it: who holds what, and waits for what.</summary>
    public string Sentence()
    {
        if (_awaits is [var only])
            return $"{only.Who} awaits itself";
        if (_awaits.Count > 1 && _awaits.All(step => step.Who == _awaits[0].Who))
            return string.Create(CultureInfo.InvariantCulture, $"{_awaits.Count:N0} x {_awaits[0].Who} await each other{(_awaits.Count > 2 ? ", in a ring" : "")}");
        if (_awaits is [var one, var other])
            return $"{one.Who} and {other.Who} await each other";
        string[] clauses = _awaits.Count > 0 ? [.. _awaits.Select(step => step.Clause)] : _clauses;
        string text = string.Join("; ", clauses.Take(ClauseLimit));
        return clauses.Length <= ClauseLimit ? text : $"{text}; and so on, {clauses.Length} in all";
    }

    /// <summary>The same for cycles that differ only in objects and threads, and in where they begin.</summary>
    public string Likeness() => string.Join("; ", (_awaits.Count > 0 ? _awaits.Select(step => step.Clause) : _clauses).Select(clause => Numbers().Replace(clause, "#")).Order(StringComparer.Ordinal));

    [GeneratedRegex("0x[0-9a-f]+|thread [0-9]+")]
    private static partial Regex Numbers();

    /// <summary>A step for each that waits.</summary>
    public IEnumerable<Evidence> Steps() => _awaits.Count > 0 ? _awaits.Select(step => Step(step.Hop, step.Clause, step.Frame)) : _cycle.Hops.Zip(_clauses, (hop, clause) => Step(hop, clause, null));

    private Evidence Step(Hop hop, string clause, LogicalFrame? frame)
    {
        Edge first = hop.Edges[0];
        ulong to = _model.Graph[first.To].Address;
        Evidence step = _names.Step(hop.From, clause) with { Relation = first.Kind, To = to == 0 ? null : to };
        return frame is null ? step : step with { Method = frame.Method, File = frame.File, Line = frame.Line };
    }

    // An operation of runtime-async has many methods: the outermost is what others await, and the innermost awaits what is next.
    private IEnumerable<AwaitStep> AwaitSteps()
    {
        foreach (Hop hop in _cycle.Hops)
        {
            IReadOnlyList<LogicalFrame> frames = _names.FramesOf(hop.From);
            for (int i = frames.Count - 1; i > 0; i--)
                yield return new(hop, frames[i], PlaceFormatter.Of(frames[i]), PlaceFormatter.Method(frames[i - 1]));
            yield return new(hop, frames.Count > 0 ? frames[0] : null, frames.Count > 0 ? PlaceFormatter.Of(frames[0]) : _names.Of(hop.From), _names.FramesOf(hop.To) is [.., var outer] ? PlaceFormatter.Method(outer) : _names.Short(hop.To));
        }
    }

    /// <summary>Who waits in it, or hangs on it, by number of the stack.</summary>
    public IEnumerable<int> Stacks() => _cycle.Part.Select(_model.Graph.StackOf).Where(stack => stack >= 0).Distinct().Order();

    // Two accounts have a gate each: nobody can tell them apart by the name of the field.
    private HashSet<string> SharedNames()
        => [.. _cycle.Hops.Select(hop => hop.Via).Where(via => via >= 0 && _model.Graph.KindOf(via) == AsyncNodeKind.Resource).Distinct()
            .GroupBy(_names.Of).Where(alike => alike.Count() > 1).Select(alike => alike.Key)];

    private string Resource(int node)
        => _names.Of(node) is var name && _shared.Contains(name) ? string.Create(CultureInfo.InvariantCulture, $"{name} 0x{_model.Graph[node].Address:x}") : name;

    private string Promise(int node) => _model.Graph[node] is { Name: null, ResourceKind: WaitKind.Task } ? "a TaskCompletionSource" : Resource(node);

    // What the one before waits for, this one has.
    private string Clause(int index)
    {
        Hop hop = _cycle.Hops[index], before = _cycle.Hops[(index + _cycle.Hops.Count - 1) % _cycle.Hops.Count];
        string who = _names.Of(hop.From);
        // It leads there from a task in its queue, too.
        if (before.Context(_model) is { } context)
            return Blocks(hop) ? $"{who} blocks {ServedBy(before, context)} until {End(hop, context.To)}" : $"{who} is on {ServedBy(before, context)} and {Wait(hop)}";
        if (ReplyText.Of(_model, before) is { } reply)
            return ReplyText.Reader(_model, reply) is var loop && loop == who ? $"{who} {Wait(hop)}" : $"{loop}, in {who}, {Wait(hop)}";
        return before.Via < 0 ? $"{who} {Wait(hop)}" : _model.Graph.KindOf(before.Via) switch
        {
            // A helper of its own waits in its caller's name: the caller has the lock.
            AsyncNodeKind.Resource when _names.Holder(before.To, before.Via) is { } holder && holder != who => $"{holder} {Has(before.Via)} {Resource(before.Via)} and, in {who}, {Wait(hop)}",
            AsyncNodeKind.Resource => $"{who} {Has(before.Via)} {Resource(before.Via)} and {Wait(hop)}",
            _ => $"{who} {Wait(hop)}",
        };
    }

    private string Has(int resource) => _model.Graph[resource].ResourceKind == WaitKind.Event ? "is to signal" : _model.Facts.Holders.IsAmbiguous(_model.Graph[resource].Address) ? "may hold" : "holds";

    private string Wait(Hop hop)
    {
        if (hop.Queued(_model) >= 0)
            return Blocks(hop) ? $"blocks {Thread(hop)} until {End(hop, -1)}" : $"awaits {Queued(hop, -1)}";
        if (hop.Via < 0)
            return Blocks(hop) ? $"blocks {Thread(hop)} until {_names.Short(hop.To)} is done" : $"awaits {_names.Short(hop.To)}";
        if (ReplyText.Of(_model, hop) is { } reply)
            return ReplyText.Wait(_model, hop, reply, reply.IsRoom ? Resource(_model.Graph.Find(reply.Mailbox)) : reply.IsByCode ? Promise(_model.Graph.Find(reply.Promise)) : "");
        return _model.Graph.KindOf(hop.Via) switch
        {
            AsyncNodeKind.Resource => $"waits for {Resource(hop.Via)}",
            AsyncNodeKind.Context when IsThread(hop.From) => $"waits until {_names.Of(hop.Via)} has run what it has sent there",
            AsyncNodeKind.Context => $"can only go on in {_names.Of(hop.Via)}{Once(hop.From)}",
            AsyncNodeKind.Thread when _cycle.Hops.Count == 1 => $"waits for the end of {_names.Of(hop.Via)}, its own thread",
            AsyncNodeKind.Thread => $"waits for {_names.Of(hop.Via)}, which is in {_names.Short(hop.To)}",
            _ => $"{(Blocks(hop) ? $"blocks {Thread(hop)} until" : "awaits")} {_names.Short(hop.To)}, among others{(Blocks(hop) ? ", is done" : "")}",
        };
    }

    private string End(Hop hop, int context) => hop.Queued(_model) >= 0 ? $"{Queued(hop, context)}, has run" : $"{_names.Short(hop.To)} is done";

    // "the task Shop.Report, which is queued there"
    private string Queued(Hop hop, int context)
    {
        int queue = hop.Context(_model)!.Value.To;
        string? method = _model.Graph.ReasonOf(hop.Queued(_model))?.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.TaskQueued).Text;
        return $"{(method is null ? "a task" : $"the task {method}")}, which is queued {(queue == context ? "there" : $"to {_names.Of(queue)}")}";
    }

    // What it awaits may still be pending: it hangs from then on, and the thread blocks until then.
    private string Once(int node)
    {
        if (!_model.Graph.EdgesFrom(node).Any(edge => edge.Kind is EdgeKind.Awaits or EdgeKind.BlockedOn or EdgeKind.CompletedBy) || _model.Graph.StackOf(node) is not (>= 0 and var stack))
            return "";
        return $", once {(_model.Stacks.WaitOf(stack) is { IsDone: false } wait ? wait.Text : "what it awaits")} is done";
    }

    private bool IsThread(int node) => _model.Nodes.ThreadOf(node) is not null;

    private bool Blocks(Hop hop) => hop.Edges[0].Kind == EdgeKind.BlockedOn && _model.Nodes.ThreadOf(hop.From) is not null;

    private string Thread(Hop hop) => string.Create(CultureInfo.InvariantCulture, $"thread {_model.Nodes.ThreadOf(hop.From)}");

    // "thread 1, the only one that serves UiContext,"
    private string ServedBy(Hop hop, Edge context)
    {
        int threads = _model.Graph.EdgesFrom(context.To).Count(edge => edge.Kind == EdgeKind.RunsOn);
        string thread = _names.Of(hop.Edges.First(edge => edge.From == context.To).To);
        return threads == 1 ? $"{thread}, the only one that serves {_names.Of(context.To)},"
            : _model.Graph.NeedsAllThreads(context.To) ? $"{thread}, for which {_names.Of(context.To)} waits,"
            : $"{thread}, like all that serve {_names.Of(context.To)},";
    }
}

/// <summary>One method of a cycle that awaits another.</summary>
/// <param name="Hop">What it is of.</param>
/// <param name="Frame">Its frame; null if it has none.</param>
/// <param name="Who">The method, with its place.</param>
/// <param name="Awaits">The method that it awaits.</param>
internal sealed record AwaitStep(Hop Hop, LogicalFrame? Frame, string Who, string Awaits)
{
    /// <summary>The same in words.</summary>
    public string Clause => $"{Who} awaits {Awaits}";
}

/// <summary>Waits for an answer of a loop that reads a mailbox, in words.</summary>
internal static class ReplyText
{
    /// <summary>The promise that an edge leads from; null for other edges.</summary>
    public static ReplyRow? Of(AsyncModel model, in Edge edge)
    {
        if (edge is not { Kind: EdgeKind.HeldBy, Source: EdgeSource.Inferred })
            return null;
        ulong promise = model.Graph[edge.From].Address;
        foreach (ReplyRow row in model.Facts.Replies)
        {
            if (row.Promise == promise && row.Node == edge.To)
                return row;
        }
        return null;
    }

    /// <summary>The promise over which a hop leads to who completes it; null if it does not.</summary>
    public static ReplyRow? Of(AsyncModel model, Hop hop) => hop.Edges.Select(edge => Of(model, edge)).FirstOrDefault(row => row is not null);

    /// <summary>The method that reads the mailbox, with its place.</summary>
    public static string Reader(AsyncModel model, in ReplyRow row) => PlaceFormatter.Of(model.Places[row.Place].Frame);

    /// <summary>A host would start or call what completes it, when it goes on.</summary>
    public static bool IsOfService(AsyncModel model, in ReplyRow row) => row.IsByCode && HostPhase.IsAt(model.Places[row.Place].Frame);

    private static bool IsOnly(AsyncModel model, in ReplyRow row)
    {
        ulong promise = row.Promise;
        return model.Facts.Replies.Count(other => other.Promise == promise) == 1;
    }

    /// <summary>What is waited for.</summary>
    public static WaitKind KindOf(AsyncModel model, in ReplyRow row) => model.Graph.Find(row.Promise) is >= 0 and var node ? model.Graph[node].ResourceKind : WaitKind.Task;

    private static string Completes(AsyncModel model, in ReplyRow row)
        => KindOf(model, row) switch { WaitKind.Semaphore => "releases", WaitKind.Event => "sets", WaitKind.Channel or WaitKind.Pipe => "writes to or completes", _ => "completes" };

    /// <summary>What who waits for the answer waits for.</summary>
    /// <param name="model">The model.</param>
    /// <param name="hop">From who waits to who answers.</param>
    /// <param name="row">What is known of that.</param>
    /// <param name="channel">How the channel is called that has no room, or what is to be completed.</param>
    public static string Wait(AsyncModel model, Hop hop, in ReplyRow row, string channel)
    {
        if (row.IsByCode && hop.From == row.Node)
            return $"waits for {channel}, which nobody {Completes(model, row)} but who waits for it{(row.Confidence == Confidence.Possible ? ", as far as code tells" : "")}";
        if (IsOfService(model, row))
            return $"waits for {channel}, which only {(HostPhase.IsStart(model.Places[row.Place].Frame) ? "a service completes that the host has not started yet, or a callback of ApplicationStarted" : "a callback of ApplicationStopped completes")}, as far as code tells";
        if (row.IsByCode)
            return $"waits for {channel}, which {(IsOnly(model, row) ? "only " : "")}{Reader(model, row)}{(IsOnly(model, row) ? "" : ", among others,")} {Completes(model, row)}{(row.Confidence == Confidence.Possible ? ", as far as code tells" : "")}";
        if (row.IsRoom)
            return $"waits for room in {channel}, which only {Reader(model, row)} reads{(row.Confidence == Confidence.Possible ? " now" : "")}";
        string reader = Reader(model, row);
        if (row.Kind == ReplyKind.Request)
            return $"waits for the HTTP answer of {reader}{(IsOnly(model, row) ? "" : ", or of another request like it")}";
        return row.Mailbox == 0 ? $"waits for an answer of {reader}, which has the message"
            : string.Create(CultureInfo.InvariantCulture, $"waits for an answer of {reader}, and the message lies in its mailbox 0x{row.Mailbox:x}");
    }
}
