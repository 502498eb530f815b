using System.Collections.Immutable;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Elided;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Families.FSharp;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Resources;
using Async2.Analysis.Stacks;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis;

/// <summary>One run of <see cref="Analyzer.Analyze"/>: the stages in order, each fed by the one before.</summary>
internal sealed class AnalysisPipeline(Target target, AnalysisOptions options, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
{
    private const int ManyNodes = 200_000;

    private readonly ProblemLog _problems = new();
    private Func<VariableReaders>? _makeVariables;
    private IReadOnlyList<FrameEntry> _entries = [];

    /// <summary>Variables of the frames of the answer; null when it has none.</summary>
    public VariableReaders? Variables()
    {
        if (_makeVariables?.Invoke() is not { } variables)
            return null;
        variables.Entries = _entries;
        return variables;
    }

    public AsyncModel Run()
    {
        foreach (Problem problem in target.Origin.Problems)
            _problems.Add(problem);
        LayoutFacts facts = LayoutSources.Read(target, options.LayoutFile, _problems);
        var machines = new StateMachineLayouts(target);
        HeapIndex index = new HeapWalk(target, machines, facts, _problems) { Kept = Kept(options) }.Run((f, objects) => Report("reading the heap", f, objects), cancellation);
        // What the walk needed is as big again as what it found, and the model needs room.
        if (index.Nodes.Length > ManyNodes)
            GC.Collect();
        index = FSharpAsyncs.Join(target, index, machines, _problems);
        // Nothing else can be read of a process that was let go.
        if (index.Layout.Task is { } task && target.Origin.Freeze is not { IsOver: true })
            return WithStacks(task, index, machines);
        ExplainNoStacks(index, []);
        return Finish(new AsyncModel(ModelColumns.Empty) { Target = Facts(index), Places = [], Complete = index.Complete });
    }

    private AsyncModel WithStacks(TaskLayout task, HeapIndex index, StateMachineLayouts machines)
    {
        var modules = new LoadedModules(target, _problems, knowsKinds: index.Layout.Continuation is not { Shape: ContinuationShape.Inline });
        var threads = new ThreadReader(target, modules, index);
        IReadOnlyList<ThreadSegment> segments = DacCrash.LeavesThreadsOut ? threads.LeaveOut() : threads.Read(cancellation);
        ReportUnseenThreads(threads.Unseen);
        ExplainNoStacks(index, segments);
        index = ForEachBodies.Join(target, BlockedForAll.In(RunningChains.In(index, segments, _problems), segments, target));
        StackReaders readers = Readers(task, index, machines, modules, threads, segments) with { Segments = segments, UnseenThreads = threads.Unseen, AllThreads = options.ReadsAllThreads };
        ModelBuilder built = ModelBuilder.Build(index, readers, Facts(index), _problems, phase => Report(phase, null), cancellation);
        _entries = built.Entries;
        bool sawAll = threads.Unseen.Count == 0 || HasRegisters;
        return Finish(built.Model with { Complete = index.Complete && built.Model.Complete && sawAll });
    }

    // A debugger that does not know them has been told so already.
    private bool HasRegisters => target.Origin.Problems.Any(p => p.Code == ProblemCodes.RegistersUnknown);

    private void ReportUnseenThreads(IReadOnlyList<int> threads)
    {
        const int most = 10;
        if (threads.Count == 0 || HasRegisters)
            return;
        if (DacCrash.LeavesThreadsOut)
        {
            _problems.AddLoss(new(ProblemCodes.ThreadsLeftOut, FormattableString.Invariant(
                $"{DacCrash.Text("this target", null)}, so the stacks of its {threads.Count:N0} managed threads were left out: what they run or block in is unknown")));
            return;
        }
        string ids = string.Join(", ", threads.Take(most)) + (threads.Count > most ? ", and more" : "");
        _problems.Add(ProblemCodes.ThreadUnseen, FormattableString.Invariant(
            $"the registers of {threads.Count:N0} managed {(threads.Count == 1 ? "thread" : "threads")} ({ids}) are not in the target: their stacks are missing, and what they run or block in is unknown"));
    }

    private StackReaders Readers(TaskLayout task, HeapIndex index, StateMachineLayouts machines, LoadedModules modules, ThreadReader threads, IReadOnlyList<ThreadSegment> segments)
    {
        var saved = new SavedData(target, modules, index.Layout);
        var native = new NativeBodies(target, index.Layout.Facts);
        var contexts = new GenericContext(target, saved);
        var awaiters = new AwaiterReader(target.Memory, new AwaiterLayouts(target.Runtime, new AsyncTypes(index.Layout.Facts), task).Of, _problems);
        var types = new ObjectTypes(target);
        var awaited = new AwaitedObjectReader(target, task, awaiters, machines, modules, saved, types);
        var resources = new WaitResources(index.Resources);
        var machineReader = new StateMachineReader(machines, new StateMachinePoints(modules), _problems);
        var names = new ResourceNames(target, modules, _problems);
        var elided = new ElidedFrameReader(new ElidedFrameFinder(modules), new ChainStarts(modules, new CompiledMethods(target, native)), _problems);
        var timeouts = new TaskTimeouts(target, modules, resources);
        _makeVariables = () => new VariableReaders(target, modules, native, contexts, index, machines, keepsParts: !options.Locals);
        return WithPlaces(new ResumptionReader(WaitFamilies.ContextOf(target, modules, resources), awaiters, index, segments, threads.Resuming), new StackReaders
        {
            Frames = new FrameReader(Points(index, modules, native), contexts, machineReader, new ThreadPoints(target, modules, native))
            {
                EndpointOf = new EndpointNames(target, modules, resources).Of,
            }.Source,
            ReadAwaiters = awaiters.Read,
            FindAwaited = awaited.OfChain,
            FindMachineAwaited = awaited.OfStateMachine,
            FindThunkAwaited = awaited.OfThunk,
            FindTaskletAwaited = row => index.Layout.TaskletOwner is { } owner && row.Owner != 0 ? awaited.OfTasklets(row.Owner, row.Address, owner) : null,
            ElidedBetween = elided.Between,
            ElidedAbove = index.Layout.Continuation is { Shape: ContinuationShape.Arrays } ? elided.Above : _ => [],
            IsZeroInOwner = new OwnerFields(target).IsZero,
            DescribeWait = new WaitReasonReader(target, modules, resources, options.Locals).Read,
            DescribeResource = (resource, stack, thread) => names.Of(resource, thread is null ? stack : stack.Concat(segments.Where(s => s.ThreadId == thread).SelectMany(s => s.Roots))),
            PatienceOf = timeouts.Of,
            TimerOf = timeouts.TimerOf,
            DescribeThreadWait = new ThreadWaitReader(target, modules, resources).Read,
            Generations = HeapGenerations.Of(target),
            Types = types,
            Torn = TornChains.In(target, index.Layout),
        });
    }

    private static StackReaders WithPlaces(ResumptionReader resumptions, StackReaders readers)
        => readers with { FindResumption = resumptions.Of, FindCaptured = resumptions.Captured, FindSavedPlace = resumptions.SavedBy };

    private SuspensionPoints Points(HeapIndex index, LoadedModules modules, NativeBodies native)
    {
        Report("finding code", null);
        Dictionary<ulong, ulong> sites = ResumeSites.Find(target, index.Frames.Sites.Resumes, _problems, cancellation);
        return new SuspensionPoints(target, modules, native, sites, index.Layout.Facts, _problems);
    }

    private static TaskKinds Kept(AnalysisOptions options)
        => (options.PlainTasks ? TaskKinds.Plain : TaskKinds.None) | (options.Completed ? TaskKinds.Completed : TaskKinds.None);

    // Silence must not look like "nothing is wrong" where a program was built or started in the wrong way.
    private void ExplainNoStacks(HeapIndex index, IReadOnlyList<ThreadSegment> segments)
    {
        // An async method that a thread runs need not have been suspended yet.
        if (!index.Complete || _problems.HasLoss || !index.Nodes.IsEmpty || segments.Any(segment => !segment.IsPlain))
            return;
        _problems.Add(ProblemCodes.NoRuntimeAsync,
            "no async method is suspended; if you expect runtime-async methods: was the program built with runtime-async and started with DOTNET_RuntimeAsync=1 on .NET 10 or later?");
    }

    private TargetFacts Facts(HeapIndex index) => TargetFactsReader.Read(target, Families(index), index.Layout);

    private AsyncModel Finish(AsyncModel model)
    {
        if (target.Origin.Freeze is { IsOver: true })
            _problems.AddLoss(new(ProblemCodes.LetGo, "the process was stopped for as long as the tool allows, and was released: this is what was found until then"));
        else if (cancellation.IsCancellationRequested)
            _problems.Add(ProblemCodes.Interrupted, "the analysis was interrupted: this is what was found until then");
        return model with
        {
            // How long it stood still is known at the end only.
            Target = model.Target with { FreezeMs = TargetFactsReader.FrozenFor(target) },
            // Of a live process that is a torn moment; of a dump each address may help.
            Problems = target.Origin.IsDump || target.Origin.IsHosted ? _problems.ToImmutable() : _problems.Joined(),
            Complete = model.Complete && !_problems.HasLoss && !cancellation.IsCancellationRequested && target.Origin.Problems.All(p => p.Code != ProblemCodes.DumpIncomplete),
        };
    }

    private static ImmutableArray<string> Families(HeapIndex index)
    {
        var families = ImmutableArray.CreateBuilder<string>();
        if (index.Layout.Continuation is not null)
            families.Add("runtime-async");
        if (Has(index, NodeKind.Tasklets))
            families.Add("tasklet");
        if (Has(index, NodeKind.Machine))
            families.Add("state-machine");
        if (Has(index, NodeKind.Pooled))
            families.Add("pooled");
        if (Has(index, NodeKind.FSharpAsync))
            families.Add("fsharp-async");
        return families.ToImmutable();
    }

    private static bool Has(HeapIndex index, NodeKind kind)
    {
        foreach (ref readonly NodeRow row in index.Nodes)
        {
            if (row.Kind == kind)
                return true;
        }
        return false;
    }

    private void Report(string phase, double? fraction, long? objects = null) => progress?.Report(new AnalysisProgress(phase, fraction, objects));
}
