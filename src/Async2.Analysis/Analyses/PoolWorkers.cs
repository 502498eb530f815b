using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>What the workers of the thread pool do, as far as their stacks tell.</summary>
internal sealed class PoolWorkers
{
    private readonly AsyncModel _model;
    private readonly NodeText _names;

    /// <param name="input">Has the model, which has a pool.</param>
    public PoolWorkers(AnalysisInput input)
    {
        (_model, _names) = (input.Model, input.Names);
        All = [.. (_model.Target.Pool?.Workers ?? []).Select(_model.Graph.InnermostOf).Where(node => node >= 0).Select(node => new Worker(node, DoingOf(node)))];
    }

    /// <summary>Those with frames; a worker that waits for work has none of the user's, and is left out.</summary>
    public IReadOnlyList<Worker> All { get; }

    /// <summary>By their stacks, or, where these could not be read, by the pool's own count of those in a task's wait.</summary>
    public int Blocked => Math.Max(All.Count(worker => worker.Doing is WorkerDoing.Blocks or WorkerDoing.BlocksForTask), BlockForTask);

    /// <summary>Those in a task's wait.</summary>
    public int BlockForTask => Math.Max(All.Count(worker => worker.Doing == WorkerDoing.BlocksForTask), _model.Target.Pool?.BlockedInTask ?? 0);

    public int Running => All.Count(worker => worker.Doing == WorkerDoing.Runs);

    /// <summary>What they do, most of them first: a sentence, how many, and one of them.</summary>
    public IEnumerable<(string Text, int Count, Worker Example)> Groups()
        => from worker in All
           group worker by Sentence(worker) into doing
           orderby doing.Count() descending, doing.Key
           select (doing.Key, doing.Count(), doing.First());

    private WorkerDoing DoingOf(int node)
    {
        bool isShown = _model.Graph.StackOf(node) >= 0;
        if (_model.Facts.Blocked.TryGetValue(node, out WaitReason? reason))
            return !isShown ? WorkerDoing.Idles : reason.Kind switch { WaitKind.Task => WorkerDoing.BlocksForTask, WaitKind.Native => WorkerDoing.IsInSystem, _ => WorkerDoing.Blocks };
        return _model.Graph.EdgesFrom(node).Any(edge => edge.Kind is EdgeKind.BlockedOn or EdgeKind.CompletedBy) ? WorkerDoing.BlocksForTask : WorkerDoing.Runs;
    }

    private string Sentence(in Worker worker)
    {
        string place = _names.FrameOf(worker.Node) is { } frame ? PlaceFormatter.Of(frame) : "a method that is not known";
        return worker.Doing switch
        {
            WorkerDoing.BlocksForTask => $"{place} blocks until {AwaitedBy(worker.Node)} is done",
            WorkerDoing.Blocks => $"{place} blocks in {(_model.Facts.Blocked.TryGetValue(worker.Node, out WaitReason? reason) ? WaitFormatter.What(reason) : null) ?? "a wait"}",
            WorkerDoing.IsInSystem => $"{place} is in a system call",
            WorkerDoing.Runs => $"{place} runs",
            _ => "no work",
        };
    }

    /// <summary>What a thread blocks for, without addresses: equal ones are one group.</summary>
    private string AwaitedBy(int node)
    {
        foreach (Edge edge in _model.Graph.EdgesFrom(node))
        {
            if (edge.Kind == EdgeKind.BlockedOn && _names.Called(edge.To) is { } frame)
                return PlaceFormatter.Method(frame);
        }
        return "a task";
    }
}

/// <summary>A worker of the thread pool.</summary>
/// <param name="Node">The innermost stretch of its stack.</param>
/// <param name="Doing">What it does.</param>
internal readonly record struct Worker(int Node, WorkerDoing Doing);

/// <summary>What a worker does.</summary>
internal enum WorkerDoing
{
    /// <summary>It waits for work.</summary>
    Idles,

    /// <summary>It executes code.</summary>
    Runs,

    /// <summary>It executes native code, which has called the operating system: it may be back at once.</summary>
    IsInSystem,

    /// <summary>It waits for a lock, an event, a time.</summary>
    Blocks,

    /// <summary>It waits for a task.</summary>
    BlocksForTask,
}
