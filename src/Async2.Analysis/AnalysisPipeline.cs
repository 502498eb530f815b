using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Families;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Nodes;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Operations;

namespace Async2.Analysis;

/// <summary>
/// One run of <see cref="Analyzer.Analyze"/>. <see cref="Run"/> is the ordered list of its stages: each is fed by what those before it
/// returned, and nothing else. What is pure of it, from who waits for whom to the model, is the list in <see cref="ModelBuilder.Build"/>.
/// </summary>
internal sealed class AnalysisPipeline(Target target, AnalysisOptions options, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
{
    private const int ManyNodes = 200_000;

    // Each is a row of the model, and if it is pending, its wait is read.
    private const int MostTasks = 100_000;

    private readonly ProblemLog _problems = new();
    private readonly MissingStacks _missing = new(target);
    private readonly KeptTasks _tasks = new((options.PlainTasks ? TaskKinds.Plain : TaskKinds.None) | (options.Completed ? TaskKinds.Completed : TaskKinds.None), options.KeepsTasks ? MostTasks : 0);
    private Func<VariableReaders>? _makeVariables;

    /// <summary>Variables of the answer's frames; null if there are none.</summary>
    public VariableReaders? Variables() => _makeVariables?.Invoke();

    /// <summary>The options that ask for all that was read.</summary>
    public AnalysisOptions Covered => options with { PlainTasks = (_tasks.Kinds & TaskKinds.Plain) != 0, Completed = (_tasks.Kinds & TaskKinds.Completed) != 0 };

    /// <summary>The stages, in order.</summary>
    public AsyncModel Run()
    {
        // What was said while the target was opened comes first, as it happened first.
        foreach (Problem problem in target.Origin.Problems)
            _problems.Add(problem);
        // Where fields are: no object can be read before.
        LayoutFacts facts = LayoutSources.Read(target, options.LayoutFile, _problems);
        // The whole heap, once: what follows looks objects up and finds none of its own.
        var machines = new StateMachineLayouts(target);
        HeapIndex heap = ReadHeap(facts, machines);
        // Nothing else can be read of a process that was released. Without a task there is no operation, but threads may block.
        if (target.Origin.Freeze is { IsOver: true })
            return WithoutStacks(heap);
        // Threads, after the heap: a frame is of an operation if it refers to one that is known.
        var modules = new LoadedModules(target, _problems, knowsKinds: heap.Layout.Continuation is not { Shape: ContinuationShape.Inline });
        modules.NameFieldsOf(machines);
        ThreadFindings threads = ReadThreads(heap, modules, machines);
        // What runs is not where the heap says, and what is waited for by threads only was not found by the walk.
        HeapIndex index = WhenEachStates.Join(target, ForEachBodies.Join(target, BlockedForAll.In(RunningChains.In(heap, threads.Segments, _problems), threads.Segments, target)));
        // Code, when all places are known: one search through it finds the methods of all suspended frames.
        Report("finding code", null);
        Dictionary<ulong, ulong> resumeSites = ResumeSites.Find(target, index.Frames.Sites.Resumes, _problems, cancellation);
        // Stacks: the target is only asked for what somebody needs to know of them.
        var source = new TargetStackSource(target, options, new(index, machines, modules, resumeSites), threads, _problems);
        var input = new StackInput(index)
        {
            Segments = EntryPoints.Join(threads.Segments, source.ReasonOf), ThreadsWithoutRegisters = threads.Unseen, AllThreads = options.ReadsAllThreads, Torn = TornChains.In(target, index.Layout),
        };
        ModelBuilder built = ModelBuilder.Build(input, source, Facts(index), _problems, phase => Report(phase, null), cancellation);
        _makeVariables = () => source.Variables(built.Entries);
        // What is queued to the pool has the names of stacks.
        AsyncModel model = built.Model with { Target = built.Model.Target with { Pool = source.Pool(built.Model, _problems) } };
        model = model.With(source.Ages(built.Starts));
        if (options.Comparable)
            model = model.With(source.Values(model));
        model = options.Values == ShownValues.None ? Redaction.Of(model) : model.With(LabelPrivacy.Apply(model.Facts.Labels, options.Values));
        CollectAfter(index);
        // What is missing is known at the end only.
        return Finish(model with { Complete = index.Complete && model.Complete && _missing.SawAll(threads.Unseen) });
    }

    private HeapIndex ReadHeap(LayoutFacts facts, StateMachineLayouts machines)
    {
        HeapIndex index = new HeapWalk(target, machines, facts, _problems) { Kept = _tasks }.Run((fraction, objects) => Report("reading the heap", fraction, objects), cancellation);
        CollectAfter(index);
        foreach (IAsyncFamily family in AsyncFamilies.All)
            index = family.Join(target, index, machines, _problems);
        return index;
    }

    // Walk and model need as much memory as their results, and what comes next needs room.
    private static void CollectAfter(HeapIndex index)
    {
        if (index.Nodes.Length > ManyNodes)
            GC.Collect();
    }

    private ThreadFindings ReadThreads(HeapIndex index, LoadedModules modules, StateMachineLayouts machines)
    {
        var threads = new ThreadReader(target, modules, machines, index);
        IReadOnlyList<ThreadSegment> segments = DacCrash.LeavesThreadsOut ? threads.LeaveOut() : threads.Read(cancellation);
        foreach (IAsyncFamily family in AsyncFamilies.All)
            segments = family.Join(index, segments);
        _missing.ReportUnseenThreads(threads.Unseen, _problems);
        MissingStacks.ReportPartlySeen(threads, _problems);
        MissingStacks.ReportInNative(threads, _problems);
        if (index.Complete)
            MissingStacks.ReportUnplaced(threads, _problems);
        MissingStacks.ExplainNoStacks(index, segments, _problems);
        return new(segments, threads.Unseen, threads.Resuming);
    }

    private AsyncModel WithoutStacks(HeapIndex index)
    {
        MissingStacks.ExplainNoStacks(index, [], _problems);
        return Finish(new AsyncModel(ModelColumns.Empty) { Target = Facts(index), Places = [], Complete = index.Complete });
    }

    private TargetFacts Facts(HeapIndex index) => TargetFactsReader.Read(target, AsyncFamilies.In(index), index.Layout);

    private AsyncModel Finish(AsyncModel model)
    {
        if (target.Origin.Freeze is { IsOver: true })
            _problems.AddPartial(new(ProblemCodes.StopTimeLimit, "the process was stopped for as long as the tool allows, and was released: this is what was found until then"));
        else if (cancellation.IsCancellationRequested)
            _problems.Add(ProblemCodes.Interrupted, "the analysis was interrupted: this is what was found until then");
        return model with
        {
            // The total stop time is known only at the end.
            Target = model.Target with { FreezeMs = TargetFactsReader.FrozenFor(target) },
            // In a live process that is a torn moment; in a dump each address may help.
            Problems = target.Origin.IsDump || target.Origin.IsHosted ? _problems.ToImmutable() : _problems.Joined(),
            Complete = model.Complete && !_problems.IsPartial && !cancellation.IsCancellationRequested && target.Origin.Problems.All(p => p.Code != ProblemCodes.DumpIncomplete),
        };
    }

    private void Report(string phase, double? fraction, long? objects = null) => progress?.Report(new AnalysisProgress(phase, fraction, objects));
}

/// <summary>What was found on the heap and in code.</summary>
/// <param name="Index">The async objects.</param>
/// <param name="Machines">Layouts of state machines.</param>
/// <param name="Modules">Modules of the target.</param>
/// <param name="ResumeSites">Where code refers to the stubs of suspended frames.</param>
internal sealed record HeapFindings(HeapIndex Index, StateMachineLayouts Machines, LoadedModules Modules, Dictionary<ulong, ulong> ResumeSites);

/// <summary>What threads execute.</summary>
/// <param name="Segments">Innermost of a thread first.</param>
/// <param name="Unseen">Managed ids of threads that could not be read.</param>
/// <param name="Resuming">Lists of waiters that threads go through now, with their thread.</param>
internal sealed record ThreadFindings(IReadOnlyList<ThreadSegment> Segments, IReadOnlyList<int> Unseen, Func<IEnumerable<(ulong Items, int Thread)>> Resuming);
