using System.Collections.Immutable;
using Async2.Analysis.Code;
using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Values;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;

namespace Async2.Analysis;

/// <summary>One run of <see cref="Analyzer.Analyze"/>: the stages in order, each fed by the one before.</summary>
internal sealed class Analysis(Target target, AnalysisOptions options, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
{
    private readonly ProblemLog _problems = new();

    public AsyncSnapshot Run()
    {
        foreach (Problem problem in target.Origin.Problems)
            _problems.Add(problem);
        HeapIndex index = new HeapWalk(target, _problems).Run(f => Report("reading the heap", f), cancellation);
        bool nothingMissed = NothingMissed(index);
        return index.Layout is { Task: { } task, Continuation: not null } && !index.Tasks.IsEmpty
            ? WithStacks(task, index)
            : Snapshot(index, [], new SnapshotTotals(0, 0, 0), complete: index.Complete && nothingMissed);
    }

    private AsyncSnapshot WithStacks(TaskLayout task, HeapIndex index)
    {
        StackReaders readers = Readers(task, index);
        LogicalStacks found = LogicalStacks.Build(index, readers, options, _problems, phase => Report(phase, null), cancellation);
        return Snapshot(index, found.Stacks, found.Totals, index.Complete && found.Complete);
    }

    private StackReaders Readers(TaskLayout task, HeapIndex index)
    {
        var modules = new LoadedModules(target, _problems);
        var contexts = new GenericContext(target);
        var awaiters = new AwaiterReader(target.Memory, new AwaiterLayouts(target.Runtime, task));
        return new StackReaders
        {
            Frames = new FrameReader(Points(index, modules), contexts).Source,
            ReadAwaiters = awaiters.Read,
            FindAwaited = new AwaitedObjectReader(target, task, awaiters).Find,
            ElidedBetween = new ElidedFrameReader(new ElidedFrameFinder(modules), _problems).Between,
            Running = RunningChains.Find(target, modules, index),
            Locals = options.Locals ? LocalsOf(modules, contexts, index) : null,
        };
    }

    private Func<FrameEntry, ulong, ImmutableArray<LocalValue>> LocalsOf(LoadedModules modules, GenericContext contexts, HeapIndex index)
    {
        var locals = new ContinuationLocals(target, contexts, index.Layout.Continuation!, new VariableValues(target, modules));
        return (frame, address) =>
        {
            // A frame that a thread executes has no line; what it saved when it was suspended is past, too.
            bool isRunning = frame.Frame.ILOffset is null && frame.Point.Site is not null;
            return !isRunning && index.FindContinuation(address) is >= 0 and var row ? locals.Read(frame.Point, index.Continuations[row]) : [];
        };
    }

    private SuspensionPoints Points(HeapIndex index, LoadedModules modules)
    {
        Report("finding code", null);
        var resumes = new HashSet<ulong>();
        foreach (ref readonly ContinuationRow row in index.Continuations)
        {
            if (row.Resume != 0)
                resumes.Add(row.Resume);
        }
        Dictionary<ulong, ulong> sites = ResumeSites.Find(target, resumes, _problems, cancellation);
        return new SuspensionPoints(target, modules, sites, _problems);
    }

    // What this version does not read is said, so that silence never looks like "nothing is wrong".
    private bool NothingMissed(HeapIndex index)
    {
        if (index.PendingStateMachines > 0)
        {
            _problems.Add(ProblemCodes.ClassicAsyncNotRead,
                FormattableString.Invariant($"{index.PendingStateMachines:N0} pending classic async methods (compiler-made state machines) are not shown: this version reads runtime-async only"));
        }
        if (index.Layout.Continuation is null && index.Complete)
        {
            _problems.Add(ProblemCodes.NoRuntimeAsync,
                "no runtime-async method is suspended; if some should be: was the program built with runtime-async and started with DOTNET_RuntimeAsync=1 on .NET 10 or later?");
        }
        return index.PendingStateMachines == 0;
    }

    private AsyncSnapshot Snapshot(HeapIndex index, ImmutableArray<LogicalStack> stacks, SnapshotTotals totals, bool complete)
    {
        if (cancellation.IsCancellationRequested)
            _problems.Add(ProblemCodes.Interrupted, "the analysis was interrupted: this is what was known by then");
        return new AsyncSnapshot
        {
            Target = TargetFactsReader.Read(target, Families(index)),
            Totals = totals,
            Stacks = stacks,
            Problems = _problems.ToImmutable(),
            Complete = complete && !cancellation.IsCancellationRequested && target.Origin.Problems.All(p => p.Code != ProblemCodes.DumpIncomplete),
        };
    }

    private static ImmutableArray<string> Families(HeapIndex index)
    {
        var families = ImmutableArray.CreateBuilder<string>();
        if (!index.Continuations.IsEmpty)
            families.Add("runtime-async");
        if (index.PendingStateMachines > 0)
            families.Add("state-machine");
        return families.ToImmutable();
    }

    private void Report(string phase, double? fraction) => progress?.Report(new AnalysisProgress(phase, fraction));
}
