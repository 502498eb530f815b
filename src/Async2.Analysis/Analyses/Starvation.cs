using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// The thread pool has work and no worker left for it: all of them block. A pool whose workers compute, or that takes items all the time, is busy
/// and not starved.
/// </summary>
internal sealed class Starvation : IAnalysis
{
    // The gate's own numbers (PortableThreadPool.GateThread of 10.0.12): it looks every 500 ms, and waits longer when processors are busy.
    private const long GatePeriod = 500;
    private const int BusyProcessors = 80;
    private const long DelayPerWorker = 1000;

    // The gate adds a worker at most once in a period; a change that is older belongs to another time.
    private const long RecentChange = 4 * GatePeriod;

    // Of ten workers one may just be on its way into its wait, or out of it.
    private const double NearlyAll = 0.9;

    public string Rule => "starvation";

    public IEnumerable<Finding> Find(AnalysisInput input)
    {
        if (input.Model.Target.Pool is not { Existing: > 0, Queued: > 0 } pool || pool.Working < NearlyAll * pool.Existing)
            yield break;
        var workers = new PoolWorkers(input);
        // Who computes will come back for more.
        if (workers.Blocked == 0 || workers.Running >= workers.Blocked || Judge(input.Model, pool, workers) is not { } confidence)
            yield break;
        int[] resumed = [.. Resumed(input.Model)];
        int[] members = [.. workers.All.Where(worker => worker.Doing is WorkerDoing.Blocks or WorkerDoing.BlocksForTask)
            .Select(worker => input.Model.Graph.StackOf(worker.Node)).Where(stack => stack >= 0).Distinct().Order()];
        int[] hanging = [.. members.Union(resumed)];
        yield return new Finding(Rule, confidence == Confidence.Possible ? Severity.Warning : Severity.Error, confidence, Text(pool, workers), [])
        {
            Blocked = hanging.Length,
            Hanging = hanging,
            Members = [.. members],
            Rests = new() { Pool = true, IfStill = workers.Running == 0 && workers.Blocked >= pool.Existing ? Confidence.Certain : Confidence.Likely, IsErrorIfLikely = true },
            Evidence = [.. Steps(input, pool, workers)],
            DisprovedBy = confidence == Confidence.Certain ? null : "The queue gets shorter, or other items are in it, when you look again after some seconds.",
            Next = Advice(workers),
        };
    }

    private static Confidence? Judge(AsyncModel model, PoolFacts pool, PoolWorkers workers)
    {
        bool allBlock = workers.Running == 0 && workers.Blocked >= pool.Existing, nearlyAllBlock = workers.Blocked >= NearlyAll * pool.Existing;
        long limit = pool.CpuPercent >= BusyProcessors ? pool.Goal * DelayPerWorker : GatePeriod;
        if (pool.SinceProgressMs >= limit && pool.Working >= pool.Existing)
            return allBlock ? Confidence.Certain : Confidence.Likely;
        // Fresh progress does not acquit where it is the pool's own new workers that make it, and block in turn.
        if (nearlyAllBlock && IsBeingRescued(pool))
            return pool.Queued > pool.Existing ? Confidence.Likely : Confidence.Possible;
        if (pool is { SinceProgressMs: not null, IsSinceProgressBound: false })
            return null;
        // A dump has no clock: all that is left is whether the workers wait for what is queued behind them.
        return !allBlock || pool.Working < pool.Existing ? null : WaitForQueue(model, pool, workers) ? Confidence.Likely : Confidence.Possible;
    }

    private static bool IsBeingRescued(PoolFacts pool)
        => pool.AddedForBlocking > 0 || (pool.LastAdjustment is { Reason: "Starvation" } last && last.Goal == pool.Goal && last.AgoMs is null or < RecentChange);

    // Timers that have fired, and methods that could go on, end no wait as long as no worker takes them.
    private static bool WaitForQueue(AsyncModel model, PoolFacts pool, PoolWorkers workers)
        => pool.Existing >= pool.Max && workers.All.All(worker => worker.Doing is WorkerDoing.BlocksForTask or WorkerDoing.Idles)
            && (pool.Queue.Any(work => work.Kind == QueuedWorkKind.Timers) || Resumed(model).Any());

    // Stacks that go on in the pool.
    private static IEnumerable<int> Resumed(AsyncModel model)
        => model.Graph.FindPool() is >= 0 and var node
            ? model.Graph.EdgesTo(node).Where(edge => edge.Kind == EdgeKind.ResumesOn).Select(edge => model.Graph.StackOf(edge.From)).Where(stack => stack >= 0).Distinct() : [];

    private static string Text(PoolFacts pool, PoolWorkers workers)
    {
        string who = workers.Blocked >= pool.Existing ? $"all {WaitNumbers.Count(pool.Existing, "pool thread")} block" : $"{workers.Blocked} of {WaitNumbers.Count(pool.Existing, "pool thread")} block";
        string since = pool.SinceProgressMs is not { } ms ? ""
            : ms >= GatePeriod ? $"; none was taken for {(pool.IsSinceProgressBound ? "at least " : "")}{WaitNumbers.Duration(ms)}"
            : "";
        string added = pool.AddedForBlocking > 0 ? $"; the pool has added {WaitNumbers.Count(pool.AddedForBlocking.Value, "thread")} because of it" : "";
        return $"{who} while {WaitNumbers.Count(pool.Queued, "item")} {(pool.Queued == 1 ? "is" : "are")} queued{since}{added}";
    }

    private static IEnumerable<Evidence> Steps(AnalysisInput input, PoolFacts pool, PoolWorkers workers)
    {
        foreach ((string text, int count, Worker example) in workers.Groups())
        {
            if (example.Doing != WorkerDoing.Idles)
                yield return input.Names.Step(example.Node, count == 1 ? text : $"{text} ({WaitNumbers.Count(count, "thread")})");
        }
        if (pool.Queue.Length > 0)
            yield return new Evidence("queued: " + string.Join(", ", pool.Queue.Select(QueuedText).Distinct().Take(4)) + (pool.Queue.Length > 4 ? ", ..." : ""));
        string limits = pool.Max == pool.Existing ? $"no more than {pool.Max} threads are allowed" : pool.LastAdjustment is { } last
            ? $"the pool went to {WaitNumbers.Count(last.Goal, "thread")}{(last.AgoMs is { } ago ? $" {WaitNumbers.Duration(ago)} ago" : "")}, because of {ReasonText(last.Reason)}"
            : "";
        if (limits.Length > 0)
            yield return new Evidence(limits);
    }

    private static string QueuedText(QueuedWork work) => work.Kind switch
    {
        QueuedWorkKind.Timers => "timers that have fired",
        QueuedWorkKind.InputOutput => $"input and output ({work.Name})",
        QueuedWorkKind.Resumption => $"{WaitNumbers.Times(work.Count, work.Name)}, to go on",
        _ => WaitNumbers.Times(work.Count, work.Name),
    };

    private static string ReasonText(string reason) => reason switch
    {
        "CooperativeBlocking" => "threads that block in tasks",
        "Starvation" => "starvation",
        _ => reason,
    };

    private static string Advice(PoolWorkers workers)
        => workers.BlockForTask > 0
            ? "Await instead of Wait, Result or GetAwaiter().GetResult(), all the way up to the entry point; ThreadPool.SetMinThreads only buys time."
            : "Do not block pool threads: await (Task.Delay, SemaphoreSlim.WaitAsync, a channel), or give work that has to block threads of its own (TaskCreationOptions.LongRunning).";
}
