using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Elided;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Families;
using Async2.Analysis.Formatting;
using Async2.Analysis.Heap;
using Async2.Analysis.Holders;
using Async2.Analysis.Identity;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Reachability;
using Async2.Analysis.Resources;
using Async2.Analysis.Stacks;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits;
using Async2.Analysis.Waits.Faults;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis;

/// <summary>Answers from an open target what is asked while stacks are built: one reader for each kind of question.</summary>
internal sealed class TargetStackSource : IStackSource
{
    private readonly StateMachineLayouts _machines;
    private readonly Target _target;
    private readonly HeapIndex _index;
    private readonly IReadOnlyList<ThreadSegment> _segments;
    private readonly AwaiterReader _awaiters;
    private readonly AwaitedObjectReader _awaited;
    private readonly ElidedFrameReader _elided;
    private readonly OwnerFields _owners;
    private readonly WaitReasonReader _waits;
    private readonly ThreadWaitReader _threadWaits;
    private readonly Dictionary<ThreadSegment, WaitReason?> _threadReasons = new(ReferenceEqualityComparer.Instance);
    private readonly TaskTimeouts _timeouts;
    private readonly ResourceNames _names;
    private readonly ResumptionReader _resumptions;
    private readonly ReachReader _reach;
    private readonly TaskLayout? _task;
    private readonly LeftWaiters _left;
    private readonly BlockWorkers _blocks;
    private readonly SocketPairs _socketPairs;
    private readonly GateTypes _gateTypes;
    private readonly bool? _deep;
    private readonly Lazy<HolderReader> _holders;
    private readonly TimeLimits _limits;
    private readonly TokenReader _tokens;
    private readonly Func<VariableReaders> _makeVariables;

    /// <param name="target">The target.</param>
    /// <param name="options">What was asked for.</param>
    /// <param name="found">What was found on its heap and in its code.</param>
    /// <param name="threads">What its threads execute.</param>
    /// <param name="problems">Receives problems: what cannot be read.</param>
    public TargetStackSource(Target target, AnalysisOptions options, HeapFindings found, ThreadFindings threads, ProblemLog problems)
    {
        (_target, _index, _segments, _task) = (target, found.Index, threads.Segments, found.Index.Layout.Task);
        LoadedModules modules = found.Modules;
        StateMachineLayouts machines = _machines = found.Machines;
        var saved = new SavedData(target, modules, _index.Layout);
        var native = new NativeBodies(target, _index.Layout.Facts);
        var contexts = new GenericContext(target, saved);
        var resources = new WaitResources(_index.Resources);
        _holders = new(() => new HolderReader(target, modules, native, _index.Layout, machines, AllObjects(), Dead));
        var statics = new StaticFields(target, modules);
        Labels = new LabelReader(target, modules, statics, resources, machines, _index.HasLocalValues);
        Types = new ObjectTypes(target);
        Generations = HeapGenerations.Of(target);
        _awaiters = new AwaiterReader(target.Memory, new AwaiterLayouts(target.Runtime, new AsyncTypes(_index.Layout.Facts), _task).Of, problems);
        _awaited = new AwaitedObjectReader(target, _task, _awaiters, machines, modules, saved, Types);
        _elided = new ElidedFrameReader(new ElidedFrameFinder(modules), new ChainStarts(modules, new CompiledMethods(target, native)), problems);
        _owners = new OwnerFields(target);
        _waits = new WaitReasonReader(target, modules, resources, options.Locals);
        _threadWaits = new ThreadWaitReader(target, modules, resources);
        _timeouts = new TaskTimeouts(target, modules, resources);
        _names = new ResourceNames(target, modules, statics, problems);
        (_reach, _left, _gateTypes, _deep, _blocks) = (new ReachReader(target, ChainTasks, _index.Nodes.Length, options.Deep == true), new LeftWaiters(target), new GateTypes(target), options.Deep, new BlockWorkers(target));
        WaitReaderContext all = WaitFamilies.ContextOf(target, modules, resources);
        Faults = new FaultReader(all);
        _socketPairs = new SocketPairs(all);
        _tokens = all.Tokens;
        _resumptions = new ResumptionReader(all, _awaiters, _index, _segments, threads.Resuming);
        var points = new ThreadPoints(target, modules, native);
        _limits = new TimeLimits(points);
        Frames = new FrameReader(
            new SuspensionPoints(target, modules, native, found.ResumeSites, _index.Layout.Facts, problems)
            {
                Others = [.. AsyncFamilies.All.Select(family => family.OpenPlaces(target, modules, native, _index.Layout.Facts, problems)).OfType<ISitePoints>()],
            },
            contexts,
            new StateMachineReader(machines, new StateMachinePoints(modules), problems), points, new EndpointNames(target, modules, resources));
        _makeVariables = () => new VariableReaders(target, modules, native, contexts, _index, machines, keepsParts: !options.Locals);
    }

    /// <inheritdoc/>
    public IFrameSource Frames { get; }

    /// <inheritdoc/>
    public ObjectTypes Types { get; }

    /// <inheritdoc/>
    public LabelReader Labels { get; }

    /// <inheritdoc/>
    public HolderReader Holders => _holders.Value;

    /// <inheritdoc/>
    public FaultReader Faults { get; }

    /// <inheritdoc/>
    public IReadOnlyList<GenerationRange> Generations { get; }

    /// <inheritdoc/>
    public Resumption? SentTo(ThreadSegment thread) => _resumptions.SentTo(thread);

    /// <inheritdoc/>
    public IReadOnlyList<int> ContextThreads => _resumptions.ContextThreads;

    /// <summary>State of the thread pool; null if it is not used, or cannot be read.</summary>
    /// <param name="model">Has the stacks of what is queued.</param>
    /// <param name="problems">Receives that it could not be read, or not whole.</param>
    public PoolFacts? Pool(AsyncModel model, ProblemLog problems)
    {
        if (_resumptions.Pool.IsUnreadable)
            problems.Add(ProblemCodes.PoolUnreadable, "the thread pool has not the fields that are known: what is missing of its state is not shown, and starvation may not be found");
        if (!_resumptions.Pool.Queue.IsWhole)
            problems.Add(ProblemCodes.PoolUnreadable, "so much is queued to the thread pool that not all of it was counted");
        return _resumptions.Pool.Read(new PoolNames(model).Of);
    }

    /// <summary>What tells equal stacks of a model apart.</summary>
    public uint[] Values(AsyncModel model) => new FrameValues(_target, _index.Layout.Continuation, _machines).Of(model);

    /// <summary>What tells since when something waits.</summary>
    /// <param name="starts">What began before stacks waited.</param>
    public AgeFacts Ages(IReadOnlyDictionary<int, StackStart> starts)
    {
        AgeFacts ages = AgeFactsReader.Read(_target, _index, _resumptions.Pool, starts);
        // A million of them are 32 MB, and nobody asks for them again.
        _index.Timers = [];
        return ages;
    }

    /// <summary>Reads variables of frames, as long as the target is open.</summary>
    /// <param name="entries">The frames by number.</param>
    public VariableReaders Variables(IReadOnlyList<FrameEntry> entries)
    {
        VariableReaders variables = _makeVariables();
        variables.Entries = entries;
        return variables;
    }

    /// <inheritdoc/>
    public bool ReadAwaiters(ulong continuationObject, List<ulong> found) => _awaiters.Read(continuationObject, found);

    /// <inheritdoc/>
    public void Announce(ulong later, ulong soon) => _awaiters.Announce(later, soon);

    /// <inheritdoc/>
    public void Announce(ulong address) => _target.Memory.Prefetch(address);

    /// <inheritdoc/>
    public AwaitedObject? AwaitedByChain(ulong gcData, ulong task, bool isLeafOfRuntime) => _awaited.OfChain(gcData, task, isLeafOfRuntime);

    /// <inheritdoc/>
    public bool ChainAwaits(ulong gcData, ulong task, ulong awaited) => _awaited.IsOnly(gcData, task, awaited);

    /// <inheritdoc/>
    public AwaitedObject? AwaitedByOwner(in NodeRow row) => AsyncFamilies.Of(row).AwaitedBy(row, _awaited, _index.Layout);

    /// <inheritdoc/>
    public AwaitedObject? AwaitedByMachine(in NodeRow row, string? awaiterField) => _awaited.OfStateMachine(row, awaiterField);

    /// <inheritdoc/>
    public WaitReason? ReasonOf(ulong awaited, WaitTrail trail) => _waits.Read(awaited, trail);

    /// <inheritdoc/>
    public WaitReason? ReasonOf(ThreadSegment thread)
    {
        // Asked again by all who look at the thread.
        if (!_threadReasons.TryGetValue(thread, out WaitReason? reason))
            _threadReasons[thread] = reason = _threadWaits.Read(thread);
        return reason;
    }

    /// <inheritdoc/>
    public WaitResource Describe(ulong resource, IEnumerable<ulong> stack, int? thread)
        => _names.Of(resource, thread is null ? stack : stack.Concat(_segments.Where(segment => segment.ThreadId == thread).SelectMany(segment => segment.Roots)));

    /// <inheritdoc/>
    public WaitResource? DescribePromise(ulong promise) => _deep == true ? _names.OfPromise(promise) : null;

    /// <inheritdoc/>
    public Resumption? ResumptionOf(ulong operation, bool isCompleted) => _resumptions.Of(operation, isCompleted);

    /// <inheritdoc/>
    public Resumption? QueueOf(ulong task) => _resumptions.QueueOf(task);

    /// <inheritdoc/>
    public long? TimeoutOf(ulong promise) => _timeouts.Of(promise);

    /// <inheritdoc/>
    public ulong TimerOf(ulong promise) => _timeouts.TimerOf(promise);

    /// <inheritdoc/>
    public IEnumerable<(ulong Operation, Resumption Place)> PlacesCaptured(Func<ulong, ulong> awaitedBy) => _resumptions.Captured(awaitedBy);

    /// <inheritdoc/>
    public Resumption? PlaceSavedBy(ulong frame) => _resumptions.SavedBy(frame);

    /// <inheritdoc/>
    public OrphanSearch OrphanSearch => _deep == false ? OrphanSearch.None : _reach.IsTooBig ? OrphanSearch.IsTooBig : OrphanSearch.Heap;

    /// <inheritdoc/>
    public bool IsPlainPromise(ulong awaited) => _gateTypes.IsPlainPromise(awaited);

    /// <inheritdoc/>
    public bool IsPending(ulong task) => _task is null || !_target.Memory.TryReadUInt32(task + (ulong)_task.StateFlags, out uint flags) || !TaskLayout.IsCompleted(flags);

    /// <inheritdoc/>
    public ulong NotifiedBy(ulong timer) => TimerCallbacks.PromiseOf(_target, timer);

    /// <inheritdoc/>
    public IReadOnlyDictionary<ulong, ulong> OtherEnds(IReadOnlyCollection<(ulong Operation, ulong Socket)> waiting, bool areSending) => _socketPairs.Of(waiting, areSending);

    /// <inheritdoc/>
    public string? TypeNameOf(ulong address) => _gateTypes.NameOf(address);

    /// <inheritdoc/>
    public ReachAnswer? FindOrphans(IReadOnlyList<WaitGate> waits, IReadOnlyList<ulong> operations, bool hasCandidate, CancellationToken cancellation)
        => _deep ?? hasCandidate ? _reach.Read(waits, operations, cancellation) : null;

    // Where the whole heap was walked, it can be walked again in the same way.
    private IAllObjects AllObjects() => _index.Complete && _target.Memory.Image is not null ? new InPlaceObjects(_target, _index.Layout.Facts) : new RuntimeObjects(_target);

    // Nothing is known to be dead where the heap is not to be searched.
    private IReadOnlySet<ulong> Dead(IReadOnlyList<ulong> items) => _deep == false ? new HashSet<ulong>() : _reach.Read([], items, CancellationToken.None).Lost;

    private ChainTasks? ChainTasks()
    {
        var types = new HashSet<ulong>();
        foreach (NodeRow node in _index.Nodes)
        {
            if (node.IsChain)
                types.Add(node.MethodTable);
        }
        return _task is null ? null : new(types, _task);
    }

    /// <inheritdoc/>
    public bool WasLeft(ulong continuationObject) => _left.IsEmpty(continuationObject);

    /// <inheritdoc/>
    public ulong BlockBehind(ulong continuation) => _blocks.Behind(continuation);

    /// <inheritdoc/>
    public int? WorkersOf(ulong block) => _blocks.LimitOf(block);

    /// <inheritdoc/>
    // A token that a collection is given stands in its frames, and only there.
    public bool IsLimited(ThreadSegment thread) => _limits.Has(thread)
        || (thread.BlockedBy?.Facts is { } method && BlockingCalls.Of(method.DeclaringType.FullName, method.RawName) == BlockingKind.BlockingCollection && thread.Roots.Any(root => _tokens.IsTimed(new(_target.Memory, root))));

    /// <inheritdoc/>
    public bool IsZeroInOwner(ulong operation, string field) => _owners.IsZero(operation, field);

    /// <inheritdoc/>
    public IReadOnlyList<ElidedPlace> ElidedBetween(SuspensionPoint caller, SuspensionPoint? deeper) => _elided.Between(caller, deeper);

    /// <inheritdoc/>
    public IReadOnlyList<LogicalFrame> ElidedAbove(SuspensionPoint outermost)
        => _index.Layout.Continuation is { Shape: ContinuationShape.Arrays } ? _elided.Above(outermost) : [];
}
