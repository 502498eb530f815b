using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// Pools that have nothing left to give while others wait: connections of HttpClient and Npgsql, by their own numbers; permits of a semaphore all of
/// whose holders wait for one and the same thing; and calls of a SignalR client, of which the server executes so many at a time.
/// </summary>
internal sealed class ExhaustedPool : IAnalysis
{
    private static readonly string[] Pools = ["HTTP", "Npgsql"];

    // Slots for the calls of one client of a hub.
    private const string HubCalls = "SignalR calls of a client";

    // Below SocketsHttpHandler's pool; its streams are nested in it.
    private const string Connection = "System.Net.Http.HttpConnection";
    private const int CommandLimit = 4;

    // What takes longer is not a moment of load.
    private const long LongWaitMs = 2_000;

    public string Rule => "exhausted-pool";

    public IEnumerable<Finding> Find(AnalysisInput input) => [.. Connections(input), .. Permits(input), .. Calls(input)];

    private IEnumerable<Finding> Connections(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        var pools = new SortedDictionary<ulong, WaitReason>();
        foreach (WaitReason reason in model.Reasons.Values)
        {
            for (WaitReason? level = reason; level is not null; level = level.Behind)
            {
                if (level is { Kind: WaitKind.Pool, Resource: not 0, Subject: { } subject } && Pools.Contains(subject))
                    pools.TryAdd(level.Resource, level);
            }
        }
        foreach ((ulong address, WaitReason reason) in pools)
        {
            if (NumberOf(reason, WaitFactKey.InUse) is { Of: { } most } used && used.Number >= most && NumberOf(reason, WaitFactKey.Waiting) is { Number: > 0 and var waiting })
                yield return OfConnections(input, model.Graph.Find(address), reason, most, waiting);
        }
    }

    private Finding OfConnections(AnalysisInput input, int node, WaitReason reason, long most, long waiting)
    {
        string host = reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.Host).Text is { } text ? $" to {text}" : "";
        int[] stacks = node < 0 ? [] : input.Model.Graph.StacksWaitingFor(node);
        bool isHttp = reason.Subject == Pools[0];
        // A request or two that wait for their turn are no more than load; more may be that, too, as long as something is done on the connections.
        Severity severity = waiting >= most ? Severity.Warning : Severity.Info;
        bool isUnused = isHttp && !IsUsed(input.Model), isLong = GroupAges.Of(WaitAges.Of(input.Model), stacks) is { AtLeastMs: >= LongWaitMs };
        Confidence confidence = severity == Severity.Info ? Confidence.Certain : isLong ? Confidence.Likely : Confidence.Possible;
        return new Finding(Rule, severity, confidence, $"all {WaitNumbers.Count(most, $"{reason.Subject} connection")}{host} {(most == 1 ? "is" : "are")} in use and {WaitNumbers.Count(waiting, "stack")} {(waiting == 1 ? "waits" : "wait")} for one", [])
        {
            Blocked = waiting,
            Members = [.. stacks],
            Rests = new() { Queue = node, IsLoadIfMoved = true, IfStill = Confidence.Likely },
            Evidence = [.. isUnused ? [new Evidence("nothing is sent or received on them")] : Commands(reason), .. Waiters(input, stacks)],
            DisprovedBy = confidence == Confidence.Certain ? null : "Connections are given out: the waiters move when you look again (--looks 2).",
            Next = isUnused ? "Responses that are read only in part keep their connections: read them to their end, or dispose them (using)."
                : isHttp ? "Look at what the requests in flight wait for; read or dispose each response, and raise SocketsHttpHandler.MaxConnectionsPerServer only if the server can take more."
                : "Look at what holds the connections: commands that are slow, or connections that stay open while something else is awaited; raise Maximum Pool Size only if the database can take more.",
        };
    }

    // Somebody sends or receives on a connection, or is about to.
    private static bool IsUsed(AsyncModel model)
        => Enumerable.Range(0, model.StackCount).Any(stack => model.Stacks.IdleOf(stack) is null && model.Stacks.ShapeOf(stack).Places.Any(place => model.Places[place].Frame.Type is { } type && (type == Connection || type.StartsWith(Connection + ".", StringComparison.Ordinal))));

    private static IEnumerable<Evidence> Commands(WaitReason reason)
        => reason.Shared.Where(fact => fact.Key == WaitFactKey.HeldByCommand).Take(CommandLimit)
            .Select(fact => new Evidence($"{WaitNumbers.Count(fact.Number, "connection")} {(fact.Number == 1 ? "is" : "are")} held {(fact.Text is { } sql ? "by " + sql : "and execute nothing")}"));

    // Permits that are held by stacks that all wait for the same: as if there were only one.
    private IEnumerable<Finding> Permits(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        foreach (int node in model.Graph.Held())
        {
            Edge[] held = [.. model.Graph.EdgesFrom(node).Where(edge => edge.Kind == EdgeKind.HeldBy && edge.Source != EdgeSource.OwnerRecord)];
            ulong address = model.Graph[node].Address;
            if (held.Length < 2 || input.Stuck.Has(node) || !model.Facts.Holders.AreAll(address) || held.Any(edge => model.Facts.Holders.ConfidenceOf(address, edge.To) < Confidence.Likely))
                continue;
            int[] ends = [.. held.Select(edge => NeededBy(model, edge.To)).Distinct()];
            int[] stacks = model.Graph.StacksWaitingFor(node);
            if (ends is [>= 0 and var end] && end != node && stacks.Length > 0)
                yield return OfPermits(input, node, end, held, stacks);
        }
    }

    private Finding OfPermits(AnalysisInput input, int node, int end, Edge[] held, int[] stacks) => new(
        Rule, Severity.Warning, Confidence.Likely,
        $"all {WaitNumbers.Count(held.Length, "permit")} of {input.Names.Of(node)} are held by stacks that wait for the same, {Name(input, end)}, and {WaitNumbers.Count(stacks.Length, "stack")} {(stacks.Length == 1 ? "waits" : "wait")} for one", [])
    {
        Blocked = stacks.Length + held.Length,
        Rests = new() { Queue = node },
        Members = [.. held.Select(edge => input.Model.Graph.StackOf(edge.To)).Where(stack => stack >= 0).Concat(stacks).Distinct()],
        Evidence = [.. Holding(input, node, end, held), .. Waiters(input, stacks)],
        DisprovedBy = "Another holder gives a permit back: the free count rises, or the waiters move, when you look again.",
        Next = "More permits would not help: find out why what all of them wait for does not come.",
    };

    // A slow method is no more than that; but what it waits for may be meant to come with the call that is kept waiting.
    private IEnumerable<Finding> Calls(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        var full = model.Graph.Held().Where(node => model.Graph.ReasonOf(node) is { Kind: WaitKind.Semaphore, Subject: HubCalls } && !input.Stuck.Has(node))
            .Select(node => (Node: node, Held: model.Graph.EdgesFrom(node).Where(edge => edge.Kind == EdgeKind.HeldBy).Select(edge => edge.To).ToArray(), Waiting: model.Graph.StacksWaitingFor(node)))
            .Where(slots => slots.Waiting.Length > 0);
        foreach (var alike in full.GroupBy(slots => string.Join(" or ", slots.Held.Select(holder => input.Names.HolderName(holder, slots.Node)).Distinct().Order(StringComparer.Ordinal))))
        {
            int clients = alike.Count();
            int[] stacks = [.. alike.SelectMany(slots => slots.Waiting).Distinct()];
            yield return new Finding(Rule, Severity.Info, Confidence.Certain,
                $"{(clients == 1 ? "a call of a SignalR client, and all that it sends behind it, waits" : $"calls of {WaitNumbers.Count(clients, "SignalR client")}, and all that they send behind them, wait")} until {alike.Key} is done", [])
            {
                Blocked = stacks.Length,
                Members = [.. alike.SelectMany(slots => slots.Held).Select(model.Graph.StackOf).Where(stack => stack >= 0).Concat(stacks).Distinct()],
                Evidence = [.. alike.SelectMany(slots => slots.Held.Select(holder => (slots.Node, Holder: holder))).GroupBy(held => input.Names.HolderName(held.Holder, held.Node)).Take(CommandLimit)
                    .Select(held => input.Names.Step(held.First().Holder, $"{held.Key} is executed for the client{End(model, held.First().Holder)}", held.First().Node))],
                Next = "If a later call of the same client brings what this one waits for, it never comes: return before that, or raise HubOptions.MaximumParallelInvocationsPerClient.",
            };
        }
    }

    private static string End(AsyncModel model, int holder) => WaitEnd.Of(model, holder).Text is { } text ? " and waits for " + text : "";

    private static IEnumerable<Evidence> Holding(AnalysisInput input, int node, int end, Edge[] held)
        => input.Names.Places(held.Select(edge => edge.To), CommandLimit, $"holds one and waits for {Name(input, end)}", $"hold one and wait for {Name(input, end)}", lockHeld: node);

    private static string Name(AnalysisInput input, int node)
        => input.Model.Graph[node] is { Kind: AsyncNodeKind.Resource, ResourceKind: WaitKind.Task, Name: null } ? "a task that somebody has to complete" : input.Names.Of(node);

    // What the stack of a holder waits for, if many could wait for it; -1 otherwise.
    private static int NeededBy(AsyncModel model, int holder)
    {
        if (model.Graph.StackOf(holder) is not (>= 0 and var stack) || model.Stacks.Rows[stack].State is not (StackState.Awaiting or StackState.Blocked))
            return -1;
        if (model.WaitsFor(stack) is >= 0 and var next)
            return next;
        foreach (Edge edge in model.Graph.EdgesFrom(model.Stacks.NodeOf(stack, 0)))
        {
            if (edge.Kind == EdgeKind.BlockedOn)
                return edge.To;
        }
        return -1;
    }

    private static IEnumerable<Evidence> Waiters(AnalysisInput input, int[] stacks)
        => input.Names.Places(stacks.Select(stack => input.Model.Stacks.NodeOf(stack, 0)), CommandLimit, "waits for one", "wait for one");

    private static WaitFact? NumberOf(WaitReason reason, WaitFactKey key)
    {
        foreach (WaitFact fact in reason.Shared)
        {
            if (fact.Key == key)
                return fact;
        }
        return null;
    }
}
