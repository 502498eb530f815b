using System.Globalization;
using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Analyses.Children;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Analyses;

/// <summary>
/// What the program waits for outside of itself: answers of servers, databases, other processes; with the ends, and for how long the oldest has.
/// Nothing is wrong with that by itself.
/// </summary>
internal sealed class SlowDependency : IAnalysis
{
    // Where memory does not tell who opened a connection: above are the ports that Linux gives to clients (net.ipv4.ip_local_port_range).
    private const int FirstClientPort = 32768;
    private const int FindingLimit = 5;
    private const int PlaceLimit = 3;

    public string Rule => "slow-dependency";

    public IEnumerable<Finding> Find(AnalysisInput input)
    {
        Finding[] worse = [.. KeptOutput.In(input), .. SlowTaker.In(input)];
        HashSet<int> warned = [.. worse.SelectMany(finding => finding.Members)];
        foreach (Finding finding in worse.Concat(HostPhase.In(input)))
            yield return finding;
        var groups = new Dictionary<string, List<int>>(StringComparer.Ordinal);
        var limits = new Dictionary<int, long>();
        AsyncModel model = input.Model;
        HashSet<ulong> answeredHere = model.Facts.AnsweredHere();
        ulong last = 0;
        string? text = null;
        long waited = 0;
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            StackRow row = model.Stacks.Rows[stack];
            if (row.Idle != 0 || row.State is not (StackState.Awaiting or StackState.Blocked))
                continue;
            // A thread says itself what it waits for; many others in a row wait for one object.
            WaitReason? blocked = model.Facts.Blocked.GetValueOrDefault(model.Stacks.NodeOf(stack, 0));
            if (row.WaitAddress == 0 && (blocked?.Kind != WaitKind.Native || warned.Contains(stack)))
                continue;
            if (blocked is not null || row.WaitAddress != last)
                (last, text, waited) = (blocked is null ? row.WaitAddress : 0, TextOf(blocked ?? model.Reasons.GetValueOrDefault(row.WaitAddress), answeredHere, out long elapsed), elapsed);
            if (text is null || FullConnections.Has(model, stack) || (model.ReasonOf(stack) is { } reason && KeptOutput.Explains(model, stack, reason)))
                continue;
            if (!groups.TryGetValue(text, out List<int>? group))
                groups[text] = group = [];
            group.Add(stack);
            if (waited > 0)
                limits[stack] = waited;
        }
        KeyValuePair<string, List<int>>[] sorted = [.. groups.OrderByDescending(group => group.Value.Count).ThenBy(group => group.Key, StringComparer.Ordinal)];
        foreach ((string outside, List<int> stacks) in sorted.Take(FindingLimit))
            yield return Sentence(input, outside, stacks, limits);
        if (sorted.Length > FindingLimit)
            yield return Sentence(input, WaitNumbers.Count(sorted.Length - FindingLimit, "other thing") + " outside of the program", [.. sorted.Skip(FindingLimit).SelectMany(group => group.Value)], limits);
    }

    private Finding Sentence(AnalysisInput input, string text, List<int> stacks, Dictionary<int, long> limits)
    {
        WaitAges? ages = WaitAges.Of(input.Model);
        // Of several, each has an end of its own.
        int other = stacks.Count == 1 ? OtherEnds.Of(input.Model, stacks[0]) : -1;
        StackAge? age = GroupAges.Of(stack => NoOlder(ages?.OfStack(stack), limits.GetValueOrDefault(stack)), stacks);
        return new(Rule, Severity.Info, Confidence.Certain,
            $"{WaitNumbers.Count(stacks.Count, "stack")} {(stacks.Count == 1 ? "waits" : "wait")} for {text}{(age is null ? "" : AgeClause.Of(age, stacks.Count))}{(other < 0 ? "" : $"; {input.Names.Of(input.Model.Stacks.NodeOf(other, 0))}, at the other end, waits to receive as well, and nothing is under way")}", [])
        {
            Age = age,
            Blocked = stacks.Count,
            Members = [.. stacks],
            Evidence = [.. input.Names.Places((other < 0 ? stacks : [.. stacks, other]).Select(stack => input.Model.Stacks.NodeOf(stack, 0)), PlaceLimit)],
            Next = other < 0 ? "Look at the other end; give such calls a timeout."
                : "Unless both are idle, one of them has to speak first, or once more: send what was written (Flush), take all messages that have come at once, and answer on every path; or wait with a limit.",
        };
    }

    // A limit of time was set before or when the wait began.
    private static StackAge? NoOlder(StackAge? age, long since) => since == 0 || age?.AtMostMs <= since ? age
        : (age ?? new(0, AgeClock.Timer, 1)) with { AtMostMs = Math.Max(since, age?.AtLeastMs ?? 0), AtMostClock = AgeClock.Timer };

    // What is outside, as a sentence names it; null for a wait of another kind, for a server's clients, or where this process answers itself.
    private static string? TextOf(WaitReason? outer, HashSet<ulong> answeredHere, out long elapsed)
    {
        elapsed = 0;
        string? text = null;
        long? limit = null, left = null;
        for (WaitReason? level = outer; level is not null; level = level.Behind)
        {
            if (UnreadOutput.Explains(level) || answeredHere.Contains(level.Resource))
                return null;
            text ??= TextOf(level);
            foreach (WaitFact fact in level.Own)
            {
                if (fact.Key == WaitFactKey.Timeout)
                    limit = fact.Number;
                else if (fact is { Key: WaitFactKey.DueIn or WaitFactKey.TokenDueIn, IsBound: false })
                    left = fact.Number;
            }
        }
        if (limit is { } whole && left is { } rest && rest <= whole)
            elapsed = whole - rest;
        return text;
    }

    private static string OfProcess(WaitReason reason, string stream)
    {
        long process = reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.ProcessId).Number;
        return reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.KeptOpenBy) is { Number: > 0 } keeper
            ? string.Create(CultureInfo.InvariantCulture, $"{ProcessText.Of(keeper.Number, keeper.Text)} to write to the {stream} of process {process}, which has ended")
            : string.Create(CultureInfo.InvariantCulture, $"process {process} to {(stream == "standard input" ? "read" : "write to")} its {stream}");
    }

    private static string? TextOf(WaitReason reason)
    {
        if (OwnOutput.Of(reason) is { } full)
            return $"{full.Reader} to read what is written to {full.Pipe}, a pipe that is full";
        WaitFact end = reason.Shared.FirstOrDefault(fact => fact.Key is WaitFactKey.RemoteTarget or WaitFactKey.RemoteSource);
        string? remote = end.Text, host = Text(reason, WaitFactKey.From) ?? Text(reason, WaitFactKey.Host) ?? Text(reason, WaitFactKey.Server);
        if (reason.Kind == WaitKind.Process)
            return reason.Shared.Concat(reason.Own).FirstOrDefault(fact => fact.Key == WaitFactKey.ProcessId) is { Number: > 0 and var id }
                ? string.Create(CultureInfo.InvariantCulture, $"process {id} to end") : "a process to end";
        if (reason.Kind != WaitKind.Socket)
            return null;
        if (Text(reason, WaitFactKey.StreamOf) is { } stream)
            return OfProcess(reason, stream);
        if (reason.Subject == "File")
            return $"{(Text(reason, WaitFactKey.Path) is { } path ? $"the file {path}" : "a file")}{(reason.Action == WaitAction.None ? "" : reason.Action == WaitAction.Write ? " to be written" : " to be read")}";
        if (Text(reason, WaitFactKey.Sql) is { } sql)
            return $"{remote ?? "a database"} to answer {SqlShape.Of(sql)}";
        if (Text(reason, WaitFactKey.Server) is { } server && reason.Subject is { } command)
            return $"{server} to answer {command}";
        if (reason.Action == WaitAction.Response)
            return $"{host ?? "a server"} to answer{(Text(reason, WaitFactKey.HttpMethod) is { } method ? " " + method : "")}";
        return remote is null || !IsServer(remote, (SocketSide)end.Number) ? null : reason.Action switch
        {
            WaitAction.Connect => $"{remote} to accept a connection",
            WaitAction.Send or WaitAction.SendTo or WaitAction.SendPackets => $"{remote} to take what is sent",
            // A thread that sends, or connects.
            WaitAction.None when end.Key == WaitFactKey.RemoteTarget => $"{remote} to answer",
            WaitAction.Receive or WaitAction.ReceiveFrom or WaitAction.ReceiveMessageFrom or WaitAction.None => $"{remote} to send something",
            _ => null,
        };
    }

    // On a client no server depends.
    private static bool IsServer(string end, SocketSide side)
        => side == SocketSide.Connected || side == SocketSide.Unknown && end.LastIndexOf(':') is >= 0 and var colon && int.TryParse(end.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and < FirstClientPort;

    private static string? Text(WaitReason reason, WaitFactKey key) => reason.Shared.FirstOrDefault(fact => fact.Key == key).Text;
}
