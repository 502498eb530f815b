using Async2.Analysis.Awaiters;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>
/// The contexts and schedulers that were captured at awaits: the object in the waiter list of an awaited task, and later in a
/// context's queue, refers to both the context and the operation. The heap walk records these objects.
/// </summary>
/// <param name="all">The target's objects.</param>
/// <param name="awaiters">Follows them to the operations.</param>
/// <param name="task">Where a task names its waiters; null where there are none.</param>
internal sealed class CapturedPlaces(WaitReaderContext all, AwaiterReader awaiters, TaskLayout? task)
{
    private const int ListLimit = 1_000_000;

    private readonly LayoutCache<SizedLayout> _lists = all.Layouts(SizedLayout.Of);
    private readonly LayoutCache<TaskLayout> _tasks = all.Layouts((type, _) => BaseTypes.Find(type, TaskLayout.TypeName) is null ? null : task);
    private readonly Dictionary<ulong, HashSet<ulong>> _waiters = [];
    private IReadOnlyList<(ulong Wrapper, ulong Operation, ulong Place)>? _known;

    /// <summary>Where each operation goes on. Of one there may be several, of awaits that are over: 0 where they do not agree.</summary>
    public Dictionary<ulong, ulong> Agreed()
    {
        var places = new Dictionary<ulong, ulong>();
        foreach ((_, ulong operation, ulong place) in All())
            places[operation] = places.TryGetValue(operation, out ulong other) && other != place ? 0 : place;
        return places;
    }

    /// <summary>Operations whose awaited task will have them resumed in a place: one of its waiters says so.</summary>
    /// <param name="awaitedBy">Address of what an operation awaits; 0 if that is not known.</param>
    public IEnumerable<(ulong Operation, ulong Place)> Waiting(Func<ulong, ulong> awaitedBy)
        => All().Where(known => awaitedBy(known.Operation) is not 0 and var awaited && WaitersOf(awaited).Contains(known.Wrapper)).Select(known => (known.Operation, known.Place));

    private IReadOnlyList<(ulong Wrapper, ulong Operation, ulong Place)> All() => _known ??= [.. Read()];

    private IEnumerable<(ulong Wrapper, ulong Operation, ulong Place)> Read()
    {
        LayoutCache<CapturedPlaceLayout> layouts = all.Layouts(CapturedPlaceLayout.Of);
        var resumed = new List<ulong>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (layouts.Of(item) is not { } layout || item.Reference(layout.Place) is not (not 0 and var place))
                continue;
            resumed.Clear();
            awaiters.Read(address, resumed);
            foreach (ulong operation in resumed)
                yield return (address, operation, place);
        }
    }

    private HashSet<ulong> WaitersOf(ulong awaited)
    {
        if (_waiters.TryGetValue(awaited, out HashSet<ulong>? known))
            return known;
        // A value task source keeps its waiter elsewhere, not in such an object.
        HeapObject named = all.At(_tasks.Of(all.At(awaited)) is { } layout ? all.At(awaited).Reference(layout.ContinuationObject) : 0);
        return _waiters[awaited] = named.Address == 0 || _lists.Of(named) is not { } list
            ? [named.Address]
            : [.. ArrayLayout.ReadReferences(all.Target.Memory, named.Reference(list.Items), ListLimit).Take(Math.Max(0, named.Int32(list.Size) ?? 0))];
    }
}
