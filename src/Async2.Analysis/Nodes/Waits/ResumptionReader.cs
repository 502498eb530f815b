using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Nodes.Threads;

namespace Async2.Analysis.Nodes.Waits;

/// <summary>
/// Says where operations are queued whose awaited task has completed: in the pool's queue; or with a SynchronizationContext or
/// TaskScheduler, of which nobody knows the queue, but the object that was posted refers to both.
/// </summary>
internal sealed class ResumptionReader(WaitSurroundings all, AwaiterReader awaiters, IReadOnlyList<ThreadSegment> segments)
{
    private const string Context = "System.Threading.SynchronizationContext";
    private const string Scheduler = "System.Threading.Tasks.TaskScheduler";

    private readonly LayoutCache<TaskSchedulerLayout> _schedulers = all.Layouts(TaskSchedulerLayout.Of);
    private readonly Lazy<PoolQueue> _pool = new(() => new PoolQueue(all, awaiters));
    private readonly Dictionary<ulong, Resumption?> _places = [];
    private Dictionary<ulong, ulong>? _captured;
    private ServingThreads? _threads;
    private Resumption? _inPool;

    /// <summary>Null when nobody knows.</summary>
    /// <param name="operation">Address of the task or box.</param>
    /// <param name="isDone">What it awaits is known to have completed.</param>
    public Resumption? Of(ulong operation, bool isDone)
    {
        if (_pool.Value.Resumes(operation))
            return _inPool ??= InPool();
        return isDone && (_captured ??= Captured()).GetValueOrDefault(operation) is not 0 and var place ? At(place) : null;
    }

    private Resumption InPool()
    {
        PoolQueue pool = _pool.Value;
        string queued = WaitWords.Count(pool.Count, "item") + " queued";
        return new(0, "the thread pool")
        {
            Detail = pool.Workers > 0 && pool.Running >= pool.Workers ? $"which has no free worker: {pool.Running} of {pool.Workers} busy, {queued}" : null,
        };
    }

    // Of one operation there may be several, of awaits that are over: only what all agree on is believed.
    private Dictionary<ulong, ulong> Captured()
    {
        var places = new Dictionary<ulong, ulong>();
        var layouts = all.Layouts(CapturedPlaceLayout.Of);
        var resumed = new List<ulong>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (layouts.Of(item) is not { } layout || item.Reference(layout.Place) is not (not 0 and var place))
                continue;
            resumed.Clear();
            awaiters.Read(address, resumed);
            foreach (ulong operation in resumed)
                places[operation] = places.TryGetValue(operation, out ulong other) && other != place ? 0 : place;
        }
        return places;
    }

    private Resumption? At(ulong place)
    {
        if (!_places.TryGetValue(place, out Resumption? known))
            _places[place] = known = Describe(place);
        return known;
    }

    private Resumption? Describe(ulong place)
    {
        if (TypeLookup.Of(all.Target.Runtime, all.At(place).MethodTable()) is not { Name: { } name } type)
            return null;
        string shown = TypeName.Short(TypeName.FromRuntimeName(name.Replace('+', '.')));
        shown = shown[(shown.LastIndexOf('.') + 1)..];
        if (BaseTypes.Find(type, Context) is not null)
            return new(place, "SynchronizationContext " + shown) { Threads = (_threads ??= new ServingThreads(all)).Of(place, type) };
        return BaseTypes.Find(type, Scheduler) is null ? null : new(place, "TaskScheduler " + shown) { Threads = [.. RunnersOf(place)] };
    }

    // A scheduler has no threads of its own; those that run a task of it are at its service.
    private IEnumerable<int> RunnersOf(ulong scheduler)
        => segments.Where(segment => segment.Task != 0 && SchedulerOf(segment.Task) == scheduler).Select(segment => segment.ThreadId).Distinct().Order();

    private ulong SchedulerOf(ulong task)
    {
        HeapObject item = all.At(task);
        return _schedulers.Of(item) is { } layout ? item.Reference(layout.Scheduler) : 0;
    }
}
