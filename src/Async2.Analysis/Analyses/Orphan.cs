using System.Globalization;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Analyses;

/// <summary>Waits that nothing in the process can end: what would end them is out of reach of everything that can still run.</summary>
internal sealed class Orphan : IAnalysis
{
    // A reader follows so many callers; all are in the stack.
    private const int CallerLimit = 5;

    // Of those who wait for a framework's own operation.
    private const int WaiterLimit = 64;

    public string Rule => "orphan";

    public IEnumerable<Finding> Find(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        // Of what is in a cycle, or hangs on it, the cycle says more; a guess of another rule does not keep back what is known.
        var said = input.Found.Where(finding => finding is { Severity: Severity.Error, Confidence: not Confidence.Possible }).SelectMany(finding => finding.Members.Concat(finding.Behind)).ToHashSet();
        HashSet<int> nodes = [.. model.Facts.Orphans.Select(row => row.Node)];
        // Waits in the same place for the same reason are one finding, also when they were called from different ones.
        IEnumerable<IGrouping<(string Place, OrphanFact Fact, Severity Severity), OrphanRow>> groups = model.Facts.Orphans
            .Where(row => model.Graph.StackOf(row.Node) is >= 0 and var stack && !said.Contains(stack) && (IsUsers(model, stack) || IsForUsers(model, row.Node, stack)) && !IsBehindOthers(model, row.Node, nodes))
            .GroupBy(row => (input.Names.Of(row.Node), row.Fact, SeverityOf(model, row, input.Names.FrameOf(row.Node))));
        foreach (IGrouping<(string Place, OrphanFact Fact, Severity Severity), OrphanRow> group in groups)
            yield return Describe(input, [.. group], group.Key.Fact, group.Key.Severity);
        foreach (Finding finding in StuckBlocks.Untaken(input, [.. said, .. model.Facts.Orphans.Select(row => model.Graph.StackOf(row.Node))]).Concat(OfCode(input, said)))
            yield return finding;
        foreach (Finding finding in OfContexts(input, said))
            yield return finding;
        HashSet<ulong> told = model.Facts.AwaitedByOrphans();
        foreach (LockRow known in model.Facts.Holders.Locks)
        {
            // Of events that count there is such a row, and of collections out of which nobody takes.
            if (known is { Out: > 0, Use: LockUse.GivenBack } && !told.Contains(known.Lock) && model.Graph.Find(known.Lock) is >= 0 and var node && model.Graph[node].ResourceKind is WaitKind.Event or WaitKind.Channel
                && !model.Facts.Holders.HoldersOf(known.Lock).Any() && !model.Graph.StacksWaitingFor(node).All(said.Contains) && !LostFaults.Explains(model, node))
                yield return model.Graph[node].ResourceKind == WaitKind.Channel ? OfCollection(input, known, node) : OfSignals(input, known, node);
        }
    }

    // Waits in one place are one finding: a promise for each request, say. And so are all places that wait for one promise. What has failed may say why.
    private IEnumerable<Finding> OfCode(AnalysisInput input, HashSet<int> said)
    {
        AsyncModel model = input.Model;
        var nobodys = model.Facts.Nobodys.ToHashSet();
        if (nobodys.Count == 0)
            yield break;
        IEnumerable<IGrouping<string, int>> places = Enumerable.Range(0, model.StackCount)
            .Where(stack => Awaited(model, stack, nobodys) != 0 && !said.Contains(stack) && IsUsers(model, stack) && model.ReasonOf(stack) is var reason && (reason is null || !StuckBlocks.Explains(reason)))
            .GroupBy(stack => input.Names.Of(model.Stacks.NodeOf(stack, 0)));
        foreach (List<IGrouping<string, int>> alike in Together(places, stack => Awaited(model, stack, nobodys)))
        {
            ulong awaited = Awaited(model, alike[0].First(), nobodys);
            if (awaited == model.Stacks.Rows[alike[0].First()].WaitAddress || !LostFaults.Explains(model, model.Graph.Find(awaited)))
                yield return OfCode(input, alike, awaited);
        }
    }

    // Places of which each has a wait for something that one before it waits for, too; those with most waits first.
    private static List<List<IGrouping<string, int>>> Together(IEnumerable<IGrouping<string, int>> places, Func<int, ulong> awaitedBy)
    {
        var all = new List<List<IGrouping<string, int>>>();
        var known = new Dictionary<ulong, List<IGrouping<string, int>>>();
        foreach (IGrouping<string, int> place in places.OrderByDescending(place => place.Count()))
        {
            ulong[] awaited = [.. place.Select(awaitedBy).Distinct()];
            if (awaited.Select(known.GetValueOrDefault).FirstOrDefault(found => found is not null) is not { } alike)
                all.Add(alike = []);
            alike.Add(place);
            foreach (ulong one in awaited)
                known.TryAdd(one, alike);
        }
        return all;
    }

    private Finding OfCode(AnalysisInput input, List<IGrouping<string, int>> alike, ulong awaited)
    {
        AsyncModel model = input.Model;
        int[] stacks = [.. alike.SelectMany(place => place)], nodes = [.. stacks.Select(stack => model.Stacks.NodeOf(stack, 0))];
        string place = alike[0].Key;
        bool isFull = awaited != model.Stacks.Rows[stacks[0]].WaitAddress;
        string what = !isFull ? $"a {model.Reasons.GetValueOrDefault(awaited)?.Subject ?? "TaskCompletionSource"}"
            : model.Resources.TryGetValue(awaited, out WaitResource? known) && known.Name is not null ? $"room in {input.Names.Of(model.Graph.Find(awaited))}" : $"room in a {model.Reasons[model.Stacks.Rows[stacks[0]].WaitAddress].Subject}";
        string others = alike.Count == 1 ? "" : $", and {WaitNumbers.Count(stacks.Length - alike[0].Count(), "stack")} in {WaitNumbers.Count(alike.Count - 1, "other place")},";
        return new Finding(Rule, input.Names.FrameOf(nodes[0])?.Name is "Main" or "<Main>$" ? Severity.Info : Severity.Warning, Confidence.Possible,
            $"{WaitNumbers.Times(alike[0].Count(), place)}{others} {(stacks.Length == 1 ? "waits" : "wait")} for {what}, and no code that runs, is suspended or is called back {(isFull ? "takes anything out of it" : "completes it")}", [])
        {
            Members = [.. stacks],
            Evidence =
            [
                input.Names.Step(nodes[0], $"{place} waits for {what}") with { Relation = EdgeKind.BlockedOn, To = awaited },
                .. Callers(model, stacks[0]),
                .. input.Names.Places(alike.Skip(1).SelectMany(other => other).Select(stack => model.Stacks.NodeOf(stack, 0)), CallerLimit, "waits for it, too", "wait for it, too"),
            ],
            DisprovedBy = $"It goes on when you look again: code that is called by name, or from outside of .NET, {(isFull ? "reads it" : "completes it")}.",
            Next = isFull ? "Who reads it must not end, or wait for who writes, before it is empty: read to the end, or cancel the writer first and then wait for it."
                : "Complete it on every path: in a finally, also where what was to complete it fails or returns early; or wait with a limit (WaitAsync).",
        }.WithHanging(input, nodes);
    }

    // What is posted to a message loop that has ended.
    private IEnumerable<Finding> OfContexts(AnalysisInput input, HashSet<int> said)
    {
        AsyncModel model = input.Model;
        foreach (IGrouping<(int Context, string Place), int> queued in model.Facts.Resumptions.Where(row => row.Context >= 0 && model.Facts.Contexts[row.Context].HasNobody)
            .Select(row => (row.Context, row.Node, Stack: model.Graph.StackOf(row.Node))).Where(row => row.Stack >= 0 && model.Stacks.Rows[row.Stack].State == StackState.Scheduled && !said.Contains(row.Stack) && IsUsers(model, row.Stack))
            .GroupBy(row => (row.Context, input.Names.Of(row.Node)), row => row.Node))
        {
            int[] nodes = [.. queued], stacks = [.. nodes.Select(model.Graph.StackOf).Distinct()];
            string context = model.Facts.Contexts[queued.Key.Context].Name ?? "a context";
            yield return new Finding(Rule, Severity.Warning, Confidence.Possible, $"{WaitNumbers.Times(stacks.Length, queued.Key.Place)} {(stacks.Length == 1 ? "is" : "are")} queued to {context}, and no thread serves it", [])
            {
                Members = [.. stacks],
                Evidence = [input.Names.Step(nodes[0], $"{queued.Key.Place} is to go on in {context}") with { Relation = EdgeKind.ResumesOn }, .. Callers(model, stacks[0])],
                DisprovedBy = "It goes on when you look again: a thread comes back to the context's queue.",
                Next = "Finish what was started in a context before its message loop ends, or start it outside of the context (Task.Run). In runtime-async of .NET 10, ConfigureAwait(false) on the inner call does not keep it from going back to the context.",
            }.WithHanging(input, nodes);
        }
    }

    // A promise itself, or the channel or pipe in which there is no room; 0 for what is neither.
    private static ulong Awaited(AsyncModel model, int stack, HashSet<ulong> nobodys)
        => model.Stacks.Rows[stack].WaitAddress is var awaited && nobodys.Contains(awaited) ? awaited
            : model.Reasons.GetValueOrDefault(awaited) is { Resource: not 0 and var resource } && nobodys.Contains(resource) && model.Graph.Find(resource) >= 0 ? resource : 0;

    // A timer's callback, or a method that is called through an interface, may still do it: code does not tell who calls it.
    private Finding OfSignals(AnalysisInput input, LockRow known, int node)
    {
        string signals = known.Out == 1 ? "one signal" : string.Create(CultureInfo.InvariantCulture, $"{known.Out:N0} signals");
        return OfNobody(input, known, node, $"{input.Names.Of(node)} misses {signals}, and no code that runs, is suspended or queued gives {(known.Out == 1 ? "it" : "them")}") with
        {
            DisprovedBy = "It goes on, or fewer signals are missing, when you look again.",
            Next = "Signal in a finally: a worker that fails or returns before must signal, too (or leave the Barrier with RemoveParticipant); or wait with a limit.",
        };
    }

    private Finding OfCollection(AnalysisInput input, LockRow known, int node)
        => OfNobody(input, known, node, $"{input.Names.Of(node)} is full, and no code that runs, is suspended or queued takes anything out of it") with
        {
            DisprovedBy = "It goes on, or has room, when you look again.",
            Next = "When the loop that takes has ended or failed, start it again, or call CompleteAdding in its finally: who adds then fails, instead of waiting for ever.",
        };

    private Finding OfNobody(AnalysisInput input, LockRow known, int node, string text)
    {
        return new Finding(Rule, Severity.Warning, Confidence.Possible, text, [])
        {
            Members = [.. input.Model.Graph.StacksWaitingFor(node)],
            Evidence = [.. input.Names.Places(input.Model.Graph.EdgesTo(node).Where(edge => edge.Kind == EdgeKind.BlockedOn).Select(edge => edge.From), CallerLimit, "waits for it", "wait for it")
                .Select(step => step with { Relation = EdgeKind.BlockedOn, To = known.Lock })],
        }.WithHanging(input, [node]);
    }

    private Finding Describe(AnalysisInput input, OrphanRow[] rows, OrphanFact fact, Severity severity)
    {
        AsyncModel model = input.Model;
        int[] stacks = [.. rows.Select(row => model.Graph.StackOf(row.Node)).Distinct()];
        var wait = OrphanText.Of(model, rows[0].Node, fact);
        string count = stacks.Length == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $"{stacks.Length:N0} x ");
        return new Finding(Rule, severity, wait.Confidence, $"{count}{input.Names.Of(rows[0].Node)} {(stacks.Length == 1 ? "waits" : "wait")} for {wait.What} that nothing in the process can {wait.End}: {wait.Why}", [])
        {
            Members = [.. stacks],
            Rests = new() { Stacks = stacks },
            Evidence = [input.Names.Step(rows[0].Node, $"{input.Names.Of(rows[0].Node)} waits for {wait.What}: {wait.Why}") with { Relation = EdgeKind.BlockedOn, To = rows[0].Awaited }, .. Callers(model, stacks[0]), .. UsersOf(input, stacks[0])],
            DisprovedBy = wait.Confidence == Confidence.Certain ? null : "It goes on, or its place has changed, when you look again.",
            Next = wait.Next,
        }.WithHanging(input, rows.Select(row => row.Node));
    }

    // Who hangs on it, outwards: methods of one operation, and of those that wait for it.
    private static IEnumerable<Evidence> Callers(AsyncModel model, int stack)
    {
        LogicalFrame[] frames = [.. model.Stacks.ShapeOf(stack).Places.Select(place => model.Places[place]).Where(place => place.Origin == FrameOrigin.User).Select(place => place.Frame)];
        for (int i = 1; i < frames.Length && i <= CallerLimit; i++)
            yield return new Evidence($"{PlaceFormatter.Of(frames[i])} {(frames[i - 1].Kind == FrameKind.Thread ? "calls" : "awaits")} {PlaceFormatter.Method(frames[i - 1])}") { Method = frames[i].Method, File = frames[i].File, Line = frames[i].Line, Relation = EdgeKind.Awaits, Member = stack };
    }

    private static IEnumerable<Evidence> UsersOf(AnalysisInput input, int stack)
        => !input.Model.HasUserFrame(stack) && UserOf(input.Model, stack) is >= 0 and var user ? [input.Names.Step(user, $"{input.Names.Of(user)} awaits it") with { Relation = EdgeKind.Awaits }] : [];

    // Frameworks keep loops of which nobody is in need any more, until they are collected.
    private static bool IsUsers(AsyncModel model, int stack)
        => model.Stacks.IdleOf(stack) is null && model.HasUserFrame(stack);

    // A thread that blocks in a framework's own operation, such as a worker of Parallel.ForEachAsync.
    private static bool IsForUsers(AsyncModel model, int node, int stack) => model.Stacks.IdleOf(stack) is null && model.Facts.Blocked.ContainsKey(node) && UserOf(model, stack) >= 0;

    // Of a stack of a framework's, the nearest operation of the user that waits for it; -1 for none.
    private static int UserOf(AsyncModel model, int stack)
    {
        var seen = Enumerable.Range(0, model.Stacks.NodeCount(stack)).Select(i => model.Stacks.NodeOf(stack, i)).ToHashSet();
        var ahead = new Queue<int>(seen);
        while (seen.Count < WaiterLimit && ahead.TryDequeue(out int node))
        {
            foreach (int waiter in node < model.Awaits.Size ? model.Awaits.AwaitedBy(node) : [])
            {
                if (model.Graph.StackOf(waiter) is >= 0 and var other && model.HasUserFrame(other))
                    return waiter;
                if (seen.Add(waiter))
                    ahead.Enqueue(waiter);
            }
        }
        return -1;
    }

    // A WhenAll whose tasks, or what those wait for, have findings of their own; and what waits for a delay without an end, among others, does so on purpose.
    private static bool IsBehindOthers(AsyncModel model, int node, HashSet<int> nodes)
        => model.Awaits.Awaits(node) is >= 0 and var combinator && model.Awaits.IsCombinator(combinator)
            && (model.Awaits.PartsOf(combinator).Any(part => (part != node && nodes.Contains(part)) || (model.Graph.StackOf(part) is >= 0 and var stack && (IsEndless(model, model.Stacks.Rows[stack].WaitAddress) || (stack != model.Graph.StackOf(node) && nodes.Contains(model.Stacks.NodeOf(stack, 0))))))
                || model.Awaits.LeavesOf(combinator).Any(leaf => IsEndless(model, leaf)));

    private static bool IsEndless(AsyncModel model, ulong awaited)
        => model.Reasons.TryGetValue(awaited, out WaitReason? reason) && reason.Shared.Concat(reason.Own).Any(fact => fact.Key == WaitFactKey.Infinite);

    // What nobody can see any more does no harm, besides what it does not do: but for a request, whose client waits, and for items that are lost. And a program that waits in Main for nothing wants to stay; one that waits there for all that it has begun does not.
    private static Severity SeverityOf(AsyncModel model, in OrphanRow row, LogicalFrame? frame)
        => row.Fact == OrphanFact.Unreachable && model.Reasons.GetValueOrDefault(row.Awaited) is { Kind: WaitKind.Channel, Action: WaitAction.Write or WaitAction.WaitToWrite } ? Severity.Warning
            : (row.Fact == OrphanFact.Unreachable && model.Facts.Labels.Find(model.Graph.StackOf(row.Node), LabelNames.Request) is not { Source: LabelSource.Connection }) || (frame?.Name is "Main" or "<Main>$" && !(model.Awaits.Awaits(row.Node) is >= 0 and var awaited && model.Awaits.IsCombinator(awaited))) ? Severity.Info
            : row.Fact == OrphanFact.OnlyBlocked ? Severity.Warning : Severity.Error;
}

/// <summary>A wait without an end, in words.</summary>
/// <param name="What">What is waited for.</param>
/// <param name="End">What nobody can do.</param>
/// <param name="Why">How that is known.</param>
/// <param name="Next">What to do.</param>
internal sealed record OrphanText(string What, string End, string Why, string Next)
{
    private const string Promise = "Complete it on every path, also where its entry is removed or the other side fails; or wait with a limit (WaitAsync).";
    private const string Start = "Make it with Task.Run, which starts it, or call Start; what is async already needs neither: call it, and await its task.";
    private const string Itself = "A method must not wait for the end of its own caller: let that end by itself (return, or cancel a token that it looks at), and have somebody else wait for it.";
    private const string Semaphore = "Release it on every path (try, finally), and keep it where the code that releases it finds it.";
    private const string Limiter = "Let it fill up by itself (AutoReplenishment), or call TryReplenish from a timer for as long as somebody may wait.";
    private const string Event = "Signal it on every path (try, finally), also where the work fails, is left out or returns early; or wait with a limit.";
    private const string Collection = "Add, take or call CompleteAdding on every path (try, finally), and keep the collection where the other side finds it.";
    private const string Channel = "Complete the writer when its owner goes (Writer.Complete), and keep the channel where the other side finds it.";

    private const string ReadFirst = "Reader.Completion comes when the last item has been read: read them first (ReadAllAsync), then await it.";
    private const string Block = "A block completes when its output is gone: link it to one that takes everything (DataflowBlock.NullTarget), or receive it, and complete its sources.";

    /// <summary>How certain it is.</summary>
    public Confidence Confidence { get; private init; } = Confidence.Certain;

    public static OrphanText Of(AsyncModel model, int node, OrphanFact fact)
    {
        int stack = model.Graph.StackOf(node);
        WaitReason? reason = model.Facts.Blocked.GetValueOrDefault(node) ?? model.Reasons.GetValueOrDefault(model.Stacks.Rows[stack].WaitAddress);
        // Of WaitAsync it is in question who completes what it waits for.
        reason = reason is { Kind: WaitKind.Task, Behind: { } behind } ? behind : reason;
        string name = reason?.Subject ?? model.Stacks.WaitOf(stack)?.Text ?? "something";
        bool reads = reason?.Action is not (WaitAction.Write or WaitAction.WaitToWrite or WaitAction.Flush);
        OrphanText text = reason?.Kind switch
        {
            // Monitor.Wait.
            WaitKind.Lock => new("a pulse", "give", Known(fact, "the object"), Event),
            WaitKind.Event => new(name is ['A' or 'E', ..] ? $"an {name}" : $"a {name}", "signal", Known(fact, "it"), Event),
            WaitKind.Channel when name == "BlockingCollection" => new($"a {name}", reason.Says(WaitFactKey.Items, 0) ? "add to" : "take from", reason.Says(WaitFactKey.Disposed, 0) ? "it was disposed" : Known(fact, "it"), Collection),
            WaitKind.Semaphore when name.EndsWith("RateLimiter", StringComparison.Ordinal) => new($"a {name}", "fill up", Known(fact, "it"), Limiter),
            WaitKind.Semaphore => new($"a {name}", "release", Known(fact, "it"), Semaphore),
            WaitKind.Channel when reason.Action == WaitAction.Completion && name.StartsWith("Channel", StringComparison.Ordinal)
                => reason.Shared.Any(fact => fact.Key == WaitFactKey.Completed) ? new($"the end of a {name}", "empty", Known(fact, "it"), ReadFirst) : new($"the end of a {name}", "complete", Known(fact, "it"), Channel),
            WaitKind.Channel when reason.Action == WaitAction.Completion => new($"a {name}", "complete", Known(fact, "it"), Block),
            WaitKind.Channel => new($"a {name}", reads ? "write to" : "read from", Known(fact, "it"), Channel),
            // Buffers of a pipe may be kept by native code that is not seen here.
            WaitKind.Pipe => new($"a {name}", reads ? "write to" : "read from", Known(fact, "it"), Channel) { Confidence = Confidence.Likely },
            _ when IsNotStarted(reason) => new("a task", "start", "it was made with new Task and not started, and only those who wait for it have it", Start),
            _ when HasNotStarted(model, stack) => new($"a {name}", "complete", "one of its tasks was made with new Task and not started, and only those who wait for it have it", Start) { Confidence = Confidence.Likely },
            _ when fact == OrphanFact.SourcesCollected => new($"a {name}", "complete", "tasks that it waits for were collected, or no root reaches them", Promise) { Confidence = Confidence.Likely },
            _ when CombinatorOf(model, stack) is >= 0 and var own && model.Awaits.PartsOf(own).Any(part => model.Graph.StackOf(part) == stack)
                => new($"a {name}", "complete", "one of its tasks is that of the method itself, and no root reaches what the others need", Itself),
            _ when CombinatorOf(model, stack) >= 0 => new($"a {name}", "complete", "no root reaches what its tasks need", Promise),
            _ => new($"a {name}", "complete", Known(fact, fact == OrphanFact.SourceGone ? "what completes it" : "it"), Promise),
        };
        return fact == OrphanFact.OnlyBlocked ? text with { Confidence = Confidence.Possible } : text;
    }

    private static bool HasNotStarted(AsyncModel model, int stack)
        => CombinatorOf(model, stack) is >= 0 and var awaited && model.Awaits.LeavesOf(awaited).Any(leaf => IsNotStarted(model.Reasons.GetValueOrDefault(leaf)));

    // -1 if it waits for none.
    private static int CombinatorOf(AsyncModel model, int stack)
        => model.Awaits.Awaits(model.Stacks.NodeOf(stack, 0)) is >= 0 and var awaited && model.Awaits.IsCombinator(awaited) ? awaited : -1;

    private static bool IsNotStarted(WaitReason? reason) => reason is not null && reason.Shared.Any(fact => fact.Key == WaitFactKey.TaskNotStarted);

    private static string Known(OrphanFact fact, string what) => fact switch
    {
        OrphanFact.Unreachable => $"no root reaches {what}, nor those who wait",
        OrphanFact.OnlyWaiters or OrphanFact.OnlyBlocked => $"no root reaches {what}, except through those who wait",
        _ => $"no root reaches {what}",
    };
}
