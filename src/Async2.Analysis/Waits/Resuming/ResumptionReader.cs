using Async2.Analysis.Awaiters;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Pool;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>
/// Finds where operations that could resume are queued: in the pool's queue; in a SynchronizationContext or TaskScheduler, whose
/// queue is of an unknown type, but the posted object refers to both, or the method itself has saved the context; or on the stack of a
/// thread that resumes the waiters of a task one after the other.
/// </summary>
internal sealed class ResumptionReader
{
    private const string Context = "System.Threading.SynchronizationContext";
    private const string Scheduler = "System.Threading.Tasks.TaskScheduler";
    private const string ContextScheduler = "System.Threading.Tasks.SynchronizationContextTaskScheduler";
    private const string PoolScheduler = "System.Threading.Tasks.ThreadPoolTaskScheduler";

    private const int ListLimit = 1_000_000;

    private readonly WaitReaderContext _all;
    private readonly AwaiterReader _awaiters;
    private readonly HeapIndex _index;
    private readonly IReadOnlyList<ThreadSegment> _segments;
    private readonly LayoutCache<TaskSchedulerLayout> _schedulers;
    private readonly Lazy<PoolReader> _pool;
    private readonly Lazy<ServingThreads> _threads;
    private readonly CapturedPlaces _waiters;
    private readonly Lazy<Dictionary<ulong, ulong>> _captured;
    private readonly Lazy<Dictionary<ulong, ulong>> _posted;
    private readonly Lazy<Dictionary<ulong, Resumption>> _listed;
    private readonly Dictionary<(ulong Place, EdgeSource Source, bool IsQueued), Resumption?> _places = [];
    private readonly SchedulerThreads _runners;
    private Resumption? _inPool;

    /// <param name="all">The target's objects.</param>
    /// <param name="awaiters">Follows what is queued to what it resumes.</param>
    /// <param name="index">The operations.</param>
    /// <param name="segments">What threads do.</param>
    /// <param name="lists">Waiters of completed tasks that threads resume now: an object[], and the managed id of its thread.</param>
    public ResumptionReader(
        WaitReaderContext all, AwaiterReader awaiters, HeapIndex index, IReadOnlyList<ThreadSegment> segments, Func<IEnumerable<(ulong Items, int Thread)>> lists)
    {
        (_all, _awaiters, _index, _segments) = (all, awaiters, index, segments);
        _schedulers = all.Layouts(TaskSchedulerLayout.Of);
        var items = new WorkItems(all, awaiters);
        _pool = new(() => new PoolReader(all, items, operation => index.FindNode(operation) >= 0));
        _threads = new(() => new ServingThreads(all, segments));
        _waiters = new(all, awaiters, index.Layout.Task);
        _captured = new(_waiters.Agreed);
        _posted = new(() => new PostedWork(all, items).In(Places().Distinct()));
        _listed = new(() => Listed(lists()));
        _runners = new(all, segments, SchedulerOf, () => _pool.Value);
    }

    /// <summary>Threads, and what is queued to them: what the walk over the heap notes for those who ask here.</summary>
    public static bool IsResource(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.", StringComparison.Ordinal) == true
            && (CapturedPlaceLayout.Of(type, pointerSize) is not null || ThreadContextLayout.Of(type, pointerSize) is not null);

    /// <summary>Managed ids of threads that run under a SynchronizationContext of their own, ascending.</summary>
    public IReadOnlyList<int> ContextThreads => _threads.Value.UnderContext();

    /// <summary>The thread pool.</summary>
    public PoolReader Pool => _pool.Value;

    /// <summary>Null when nobody knows.</summary>
    /// <param name="operation">Address of the task or box.</param>
    /// <param name="isDone">What it awaits is known to have completed.</param>
    public Resumption? Of(ulong operation, bool isDone)
    {
        if (_pool.Value.Queue.Resumes(operation))
            return _inPool ??= InPool();
        if (isDone && _listed.Value.TryGetValue(operation, out Resumption? listed))
            return listed;
        (ulong place, EdgeSource source) = isDone ? (_captured.Value.GetValueOrDefault(operation), EdgeSource.CapturedContext)
            : OwnPlace(operation) is not 0 and var own ? (own, EdgeSource.CapturedContext)
            : (_posted.Value.GetValueOrDefault(operation), EdgeSource.WorkQueue);
        return place == 0 ? null : At(place, source, isQueued: true);
    }

    /// <summary>Where operations will go on that wait, as far as a context or scheduler was captured.</summary>
    /// <param name="awaitedBy">Address of what an operation awaits; 0 if that is not known.</param>
    public IEnumerable<(ulong Operation, Resumption Place)> Captured(Func<ulong, ulong> awaitedBy)
    {
        foreach ((ulong operation, ulong place) in _waiters.Waiting(awaitedBy))
        {
            if (At(place, EdgeSource.CapturedContext) is { } found)
                yield return (operation, found);
        }
    }

    /// <summary>The scheduler that has a task in its queue which has not begun; null for none, and for the thread pool.</summary>
    /// <param name="task">Address of the task.</param>
    public Resumption? QueueOf(ulong task)
    {
        HeapObject item = _all.At(task);
        if (_schedulers.Of(item) is not { } layout || item.Reference(layout.Scheduler) is not (not 0 and var scheduler) || item.Reference(layout.Action) == 0
            || item.UInt32(layout.Flags) is not { } flags || !TaskSchedulerLayout.IsQueued(flags))
            return null;
        // Who cancels it takes it out of the queue.
        bool canBeCancelled = _all.Fields.Follow(item, "m_contingentProperties", "m_cancellationRegistration").Address != 0;
        return At(scheduler, canBeCancelled ? EdgeSource.Inferred : EdgeSource.WorkQueue, isQueued: true);
    }

    /// <summary>The context in whose <c>Send</c> a thread blocks until what it sends has run there; null for none.</summary>
    /// <param name="thread">What the thread does.</param>
    public Resumption? SentTo(ThreadSegment thread)
    {
        if (!thread.IsBlocked || thread.Frames.FirstOrDefault(frame => frame.Method.Facts is { RawName: "Send", IsVirtual: true, ParameterCount: 2 }) is not { } frame)
            return null;
        string declaring = frame.Method.Facts!.DeclaringType.FullName;
        // Optimised code keeps it only as long as it needs it: then, if there is one.
        ulong[] own = [.. frame.Roots.Where(IsOne).Distinct()], any = own.Length > 0 ? own : [.. _threads.Value.Contexts.Where(IsOne)];
        return any is [var context] ? At(context, own.Length > 0 ? EdgeSource.ThreadStack : EdgeSource.Inferred) : null;

        bool IsOne(ulong item) => TypeLookup.Of(_all.Target.Runtime, _all.At(item).MethodTable()) is { } type && BaseTypes.Find(type, Context) is not null && BaseTypes.Of(type).Any(level => level.Name?.Replace('+', '.') == declaring.Replace('+', '.'));
    }

    /// <summary>The context or scheduler that a suspended method saved, to go on there when what it called has ended; null for none.</summary>
    /// <param name="continuation">Address of its continuation.</param>
    public Resumption? SavedBy(ulong continuation)
        => _all.Target.Origin.IsStill && _index.Layout.Continuation is { } layout && OwnPlaceLayout.In(_all.At(continuation), layout) is not 0 and var place
            ? At(place, EdgeSource.CapturedContext) : null;

    // The innermost method of a suspended chain is the runtime's own and awaits without a context. If the innermost method has a
    // context, it is queued there.
    private ulong OwnPlace(ulong operation)
        => _all.Target.Origin.IsStill && _index.Layout.Continuation is { } layout && _index.FindNode(operation) is >= 0 and var node
            && _index.Nodes[node] is { Kind: NodeKind.Chain, Body: not 0 and var head }
            ? OwnPlaceLayout.In(_all.At(head), layout)
            : 0;

    // A thread that serves a context has it as its current context; a thread that serves a scheduler runs one of its tasks.
    private IEnumerable<ulong> Places()
    {
        IEnumerable<ulong> schedulers = _segments.Where(segment => segment.Task != 0).Select(segment => SchedulerOf(segment.Task));
        return _threads.Value.Contexts.Concat(schedulers.Where(scheduler => scheduler != 0));
    }

    private Dictionary<ulong, Resumption> Listed(IEnumerable<(ulong Items, int Thread)> lists)
    {
        var listed = new Dictionary<ulong, Resumption>();
        var resumed = new List<ulong>();
        foreach ((ulong items, int thread) in lists)
        {
            resumed.Clear();
            foreach (ulong item in ArrayLayout.ReadReferences(_all.Target.Memory, items, ListLimit).Where(item => item != 0))
                _awaiters.Read(item, resumed);
            var next = new Resumption(items, null) { Threads = [thread], IsThread = true, Source = EdgeSource.ThreadStack };
            foreach (ulong operation in resumed)
                listed.TryAdd(operation, next);
        }
        return listed;
    }

    private Resumption InPool()
    {
        (int Working, int Existing, int Goal) counts = _pool.Value.Counts ?? default;
        bool isLate = counts.Existing > 0 && counts.Working >= counts.Existing;
        return new(0, null)
        {
            Late = isLate ? [new(WaitFactKey.BusyWorkers, counts.Working) { Of = counts.Existing }, new(WaitFactKey.QueuedItems, _pool.Value.Queue.Count)] : [],
        };
    }

    private Resumption? At(ulong place, EdgeSource source, bool isQueued = false)
    {
        if (!_places.TryGetValue((place, source, isQueued), out Resumption? known))
            _places[(place, source, isQueued)] = known = Describe(place, isQueued) is { } described ? described with { Source = source } : null;
        return known;
    }

    private Resumption? Describe(ulong place, bool isQueued)
    {
        if (TypeLookup.Of(_all.Target.Runtime, _all.At(place).MethodTable()) is not { Name: { } name } type)
            return null;
        string shown = TypeName.Short(TypeName.FromRuntimeName(name.Replace('+', '.')));
        shown = shown[(shown.LastIndexOf('.') + 1)..];
        if (BaseTypes.Find(type, Context) is not null)
            return new(place, "SynchronizationContext " + shown) { Threads = _threads.Value.Of(place, type, out bool isInferred), IsInferred = isInferred, HasNobody = isQueued && _threads.Value.HasNobody(place, type) };
        if (BaseTypes.Find(type, Scheduler) is null || name == PoolScheduler)
            return null;
        // It only posts.
        if (name == ContextScheduler)
            return _all.Fields.Follow(_all.At(place), "m_synchronizationContext").Address is not 0 and var context ? Describe(context, isQueued) : null;
        SchedulerService service = _runners.Of(place, type, isQueued);
        return new(place, "TaskScheduler " + shown) { Threads = service.Threads, NeedsAll = service.NeedsAll, IsInferred = service.IsInferred };
    }

    private ulong SchedulerOf(ulong task)
    {
        HeapObject item = _all.At(task);
        return _schedulers.Of(item) is { } layout ? item.Reference(layout.Scheduler) : 0;
    }
}

/// <summary>
/// What stands in a task's list of waiters, and later in a context's queue, to resume a method where it was suspended:
/// SynchronizationContextAwaitTaskContinuation, TaskSchedulerAwaitTaskContinuation (System.Private.CoreLib 10.0.12).
/// </summary>
/// <param name="Place">The context or scheduler.</param>
internal sealed record CapturedPlaceLayout(int Place)
{
    private static readonly (string Type, string Field)[] Table =
    [
        ("System.Threading.Tasks.SynchronizationContextAwaitTaskContinuation", "m_syncContext"),
        ("System.Threading.Tasks.TaskSchedulerAwaitTaskContinuation", "m_scheduler"),
    ];

    public static CapturedPlaceLayout? Of(ClrType type, int pointerSize)
    {
        foreach ((string name, string field) in Table)
        {
            if (type.Name == name && FieldPath.Find(type, pointerSize, field) is { } place)
                return new(place);
        }
        return null;
    }
}

/// <summary>
/// The context or scheduler on which a method goes on when what it called has ended: saved with the method itself, behind the result
/// and the exception of the call (System.Private.CoreLib 10.0.12, Continuation.GetContinuationContext).
/// </summary>
internal static class OwnPlaceLayout
{
    // CorInfoContinuationFlags.
    private const uint ResultInGCData = 1;
    private const uint NeedsException = 2;

    /// <summary>0 if it goes on anywhere, or nobody can tell.</summary>
    public static ulong In(HeapObject continuation, ContinuationLayout layout)
    {
        if (layout is not { Shape: ContinuationShape.Arrays, FlagsOffset: > 0 } || continuation.UInt32(layout.FlagsOffset) is not { } flags
            || (flags & ContinuationLayout.OnCapturedPlace) == 0)
            return 0;
        uint index = ((flags & ResultInGCData) == 0 ? 0u : 1) + ((flags & NeedsException) == 0 ? 0u : 1);
        HeapObject saved = continuation.At(layout.SavingOffsets.GCData);
        return saved.Length() > index ? saved.Reference(ArrayLayout.FirstElement(saved.Memory) + ((int)index * saved.Memory.PointerSize)) : 0;
    }
}
