using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// Threads that others need, of the pool, of a SynchronizationContext or of finalizers, and that block until an async operation is done. A main thread that waits
/// for the program to end, be it in an async Main or in a host's Run, blocks nobody.
/// </summary>
internal sealed class SyncOverAsync : IAnalysis
{
    // Frameworks whose own waits last as long as the program, or end it.
    private static readonly string[] Hosts = ["Microsoft.Extensions.Hosting.", "Microsoft.AspNetCore.Hosting.", "Microsoft.AspNetCore.Builder.WebApplication"];

    // Loops that run parts of the work on other threads wait for these: no async operation is waited for.
    private static readonly string[] Loops = ["System.Threading.Tasks.Parallel", "System.Threading.Tasks.TaskReplicator", "System.Linq.Parallel"];

    // What a reason says of a task that has a delegate to run.
    private static readonly WaitFactKey[] Delegates =
        [WaitFactKey.TaskDelegate, WaitFactKey.TaskNotStarted, WaitFactKey.TaskQueued, WaitFactKey.TaskRunning, WaitFactKey.TaskWaitsForChildren, WaitFactKey.TaskCompleted];

    public string Rule => "sync-over-async";

    public IEnumerable<Finding> Find(AnalysisInput input)
    {
        // These threads are said to be in a cycle already.
        HashSet<int> said = [.. input.Found.Where(finding => finding.Rule is "deadlock" or "context-deadlock").SelectMany(finding => finding.Members)];
        bool isStarved = input.Found.Any(finding => finding is { Rule: "starvation", Severity: Severity.Error });
        IEnumerable<IGrouping<string, Call>> places = Calls(input).Where(call => !said.Contains(call.Stack)).GroupBy(call => call.Text)
            .OrderByDescending(place => place.Count()).ThenBy(place => place.Key, StringComparer.Ordinal);
        foreach (IGrouping<string, Call> place in places)
            yield return Finding(input, [.. place], isStarved);
    }

    private Finding Finding(AnalysisInput input, Call[] calls, bool isStarved)
    {
        int[] members = [.. calls.Select(call => call.Stack).Distinct().Order()];
        ThreadUse use = calls[0].Use;
        bool isPool = use == ThreadUse.Pool;
        string threads = use == ThreadUse.Finalizers ? "the thread of finalizers" : calls.Length == 1 ? isPool ? "a pool thread" : "the thread of a SynchronizationContext"
            : isPool ? WaitNumbers.Count(calls.Length, "pool thread") : $"{WaitNumbers.Count(calls.Length, "thread")} with a SynchronizationContext";
        string added = isPool && input.Model.Target.Pool?.AddedForBlocking is > 0 and var number ? $"; the pool has added {WaitNumbers.Count(number, "thread")} because of such waits" : "";
        return new Finding(Rule, isStarved && isPool ? Severity.Error : Severity.Warning, Confidence.Certain, $"{calls[0].Text} blocks {threads} until {calls[0].Awaited} is done{added}", [])
        {
            Blocked = members.Length,
            Members = [.. members],
            Evidence = [.. Steps(input, calls[0])],
            Next = use == ThreadUse.Finalizers ? "Do not wait in a finalizer: until it goes on no other one runs, and all that they would free is kept. Implement IAsyncDisposable, and only give things back in the finalizer."
                : isPool ? "Make the method async and await there, all the way up to the entry point (AsyncFixer02 finds such calls)."
                : "Make the handler async and await there: while it blocks, nothing else runs on this thread.",
        };
    }

    private static IEnumerable<Evidence> Steps(AnalysisInput input, Call call)
    {
        yield return input.Names.Step(call.Node, $"{call.Text} blocks") with { Relation = EdgeKind.BlockedOn, To = call.Address };
        if (call.Target >= 0 && input.Names.Called(call.Target) is { } frame)
            yield return input.Names.Step(call.Target, $"{PlaceFormatter.Of(frame)} is what it waits for") with { Method = frame.Method, File = frame.File, Line = frame.Line };
    }

    private static IEnumerable<Call> Calls(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        HashSet<int> workers = [.. model.Target.Pool?.Workers ?? []], contexts = [.. model.Facts.ContextThreads];
        foreach (int thread in model.Nodes.Threads.Distinct())
        {
            int node = model.Graph.InnermostOf(thread);
            if (model.Graph.StackOf(node) is not (>= 0 and var stack))
                continue;
            ThreadUse? use = workers.Contains(thread) ? ThreadUse.Pool : contexts.Contains(thread) ? ThreadUse.Context : RunsFinalizer(model, node, stack) ? ThreadUse.Finalizers : null;
            if (use is { } found && Target(model, node) is (var target, var address) && Caller(model, node, stack) is { } caller && !IsOfHost(input, target))
                yield return new(stack, node, target, address, PlaceFormatter.Of(caller), input.Names.Called(target) is { } frame ? PlaceFormatter.Method(frame) : "a task", found);
        }
    }

    // The async operation or promise that a thread waits for; null if it blocks for something else.
    private static (int Node, ulong Address)? Target(AsyncModel model, int node)
    {
        if (model.Facts.Blocked.ContainsKey(node))
            return null;
        foreach (Edge edge in model.Graph.EdgesFrom(node))
        {
            if (edge.Kind is not (EdgeKind.BlockedOn or EdgeKind.CompletedBy))
                continue;
            GraphNode to = model.Graph[edge.To];
            if (to.Kind != AsyncNodeKind.Thread && !IsDelegate(model.Graph.ReasonOf(edge.To)))
                return (edge.To, to.Address);
        }
        return null;
    }

    // Nothing but the runtime calls a finalizer.
    private static bool RunsFinalizer(AsyncModel model, int node, int stack)
    {
        (int start, int end) = model.Stacks.FramesOf(stack, node);
        ReadOnlySpan<int> places = model.Stacks.ShapeOf(stack).Places.AsSpan(start, end - start);
        while (places is [.., var outermost] && model.Places[outermost].Origin != FrameOrigin.User)
            places = places[..^1];
        return places is [.., var user] && model.Places[user].Frame.Name == "Finalize";
    }

    private static bool IsDelegate(WaitReason? reason) => reason?.Shared.Any(fact => Delegates.Contains(fact.Key)) == true;

    // The user's frame that called what blocks; null if a host or a parallel loop lies between, or no frame is the user's.
    private static LogicalFrame? Caller(AsyncModel model, int node, int stack)
    {
        foreach (int place in model.Stacks.ShapeOf(stack).Places.AsSpan(model.Stacks.FramesOf(stack, node).Start))
        {
            FramePlace found = model.Places[place];
            if (found.Origin == FrameOrigin.User)
                return found.Frame;
            if (IsOf(found.Frame, Hosts) || IsOf(found.Frame, Loops))
                return null;
        }
        return null;
    }

    private static bool IsOfHost(AnalysisInput input, int target)
    {
        AsyncModel model = input.Model;
        if (target >= model.Awaits.Count || model.Graph.StackOf(target) is not (>= 0 and var stack))
            return false;
        // The frame that returned the task is the outermost one of its part.
        int end = model.Stacks.FramesOf(stack, target).End;
        return end > 0 && IsOf(model.Places[model.Stacks.ShapeOf(stack).Places[end - 1]].Frame, Hosts);
    }

    private static bool IsOf(LogicalFrame frame, string[] types) => frame.Type is { } type && types.Any(name => type.StartsWith(name, StringComparison.Ordinal));

    // One thread that blocks.
    private sealed record Call(int Stack, int Node, int Target, ulong Address, string Text, string Awaited, ThreadUse Use);

    // For what others need a thread.
    private enum ThreadUse
    {
        Pool,
        Context,
        Finalizers,
    }
}
