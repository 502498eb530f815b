using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Awaiters;

/// <summary>
/// Follows <c>m_continuationObject</c> from a task to the async operations that wait for it: through delegates, context wrappers,
/// lists and promises with a single inner task. Each query reads a list once, so that lists that contain each other, which
/// no program creates, cost no more than their contents.
/// </summary>
/// <param name="memory">The target's.</param>
/// <param name="layoutOf">Layouts of objects that can be a continuation object, by method table.</param>
/// <param name="problems">Receives invalid lists.</param>
internal sealed class AwaiterReader(TargetMemory memory, Func<ulong, AwaiterLayout> layoutOf, ProblemLog problems)
{
    /// <summary>So many continuation objects before its turn one is announced for the first time, and for the second.</summary>
    public const int Later = 16;

    /// <inheritdoc cref="Later"/>
    public const int Soon = 8;

    private const int ListLimit = 50_000_000;

    // The usual maximum for one task: a few hops each. Waiters farther away are remembered, and followed once.
    private const int UsualHops = 16;

    // So many entries of a list are looked at for a waiter that is the next in it.
    private const int NearBy = 4;

    private readonly Dictionary<ulong, ulong[]> _lists = [];
    private readonly List<ulong> _found = [];
    private readonly Stack<Cursor> _ahead = new();
    private readonly HashSet<ulong> _passed = [];
    private int _lastPlace;

    // The list in which a waiter was looked for last, and from which entry on the next one is.
    private (ulong List, ulong Items, uint Count, uint Next) _open;

    // Lists may be long (many waiters of one gate), but all of them together are no longer than the heap. Tasks that share a list
    // are not valid; each of them reads it.
    private int _steps;

    /// <summary>Total number of steps, from one item of a list to the next or farther than usual.</summary>
    public int StepLimit { get; init; } = 2 * ListLimit;

    /// <summary>False if there were more waiters than the limit: the rest was not followed.</summary>
    public bool IsWhole => _steps <= StepLimit;

    /// <summary>
    /// Adds the addresses of the tasks and boxes that wait behind this continuation object, in waiting order; promises on the way
    /// come before what waits for them.
    /// </summary>
    /// <param name="continuationObject">Content of <c>m_continuationObject</c>.</param>
    /// <param name="found">Receives the addresses.</param>
    /// <returns>False if there is a waiter of an unsupported kind.</returns>
    public bool Read(ulong continuationObject, List<ulong> found)
    {
        bool all = true;
        _ahead.Clear();
        _passed.Clear();
        _ahead.Push(new(continuationObject, 0, 0, 0));
        while (_ahead.TryPop(out Cursor cursor))
        {
            if (cursor.Items != 0 && !Open(ref cursor, found))
                return false;
            if (cursor.Address != 0)
                all &= Follow(cursor.Address, cursor.Hops + 1, found);
        }
        return all;
    }

    /// <summary>Begins to load continuation objects that will be read soon: in a large heap, each of them would be waited for.</summary>
    /// <param name="later">Is read after the other; loaded itself.</param>
    /// <param name="soon">Was announced before; what it refers to is loaded, which is whom a delegate resumes.</param>
    public void Announce(ulong later, ulong soon)
    {
        memory.Prefetch(later);
        if (soon != 0 && memory.TryReadPointer(soon + (ulong)memory.PointerSize, out ulong target))
            memory.Prefetch(target);
    }

    /// <summary>Whether an operation is among the waiters. A list is read once: thousands of chains may wait for one gate.</summary>
    public bool Contains(ulong continuationObject, ulong task)
    {
        if (_lists.TryGetValue(continuationObject, out ulong[]? known))
            return IsIn(known, task);
        if (continuationObject == _open.List ? IsNext(task) : IsOrResumes(continuationObject, task) || (OpenList(continuationObject) && IsNext(task)))
            return true;
        _found.Clear();
        Read(continuationObject, _found);
        if (_found.Count <= 1)
            return _found.Contains(task);
        _lists[continuationObject] = known = [.. _found];
        Array.Sort(known);
        _found.Clear();
        _found.TrimExcess();
        return IsIn(known, task);
    }

    /// <summary>Whether an object is a delegate that resumes a task.</summary>
    public bool IsActionOf(ulong address, ulong task)
        => MethodTables.TryRead(memory, address, out ulong methodTable) && layoutOf(methodTable) is { Shape: AwaiterShape.Delegate } layout
            && memory.TryReadPointer(address + (ulong)layout.Link, out ulong target) && target == task;

    // Nearly all tasks have one waiter, which stands there itself or in a delegate: the same answer as by following it, without a list.
    private bool IsOrResumes(ulong continuationObject, ulong task)
        => continuationObject != 0 && (continuationObject == task || IsActionOf(continuationObject, task))
            && MethodTables.TryRead(memory, task, out ulong methodTable) && layoutOf(methodTable).Shape is AwaiterShape.Node or AwaiterShape.OtherTask or AwaiterShape.ForwardingPromise;

    // Tasks are asked about in the order in which they were made, and mostly began to wait in this order: the next one stands near the last one. Of a
    // million that wait for one gate no list is made then.
    private bool IsNext(ulong task)
    {
        ulong pointer = (ulong)memory.PointerSize;
        for (uint i = _open.Next; i < _open.Count && i < _open.Next + NearBy; i++)
        {
            ulong item = _open.Items + (i * pointer);
            if (i + Later < _open.Count && memory.TryReadPointer(item + (Later * pointer), out ulong later) && memory.TryReadPointer(item + (Soon * pointer), out ulong soon))
                Announce(later, soon);
            if (!memory.TryReadPointer(item, out ulong waiter) || !IsOrResumes(waiter, task))
                continue;
            _open.Next = i + 1;
            return true;
        }
        return false;
    }

    private bool OpenList(ulong list)
    {
        if (list == 0 || !MethodTables.TryRead(memory, list, out ulong methodTable) || layoutOf(methodTable) is not { Shape: AwaiterShape.List } layout
            || !memory.TryReadPointer(list + (ulong)layout.Link, out ulong items) || ItemsOf(list, items, layout) is not (> 0 and var count))
            return false;
        _open = (list, items + (ulong)ArrayLayout.FirstElement(memory), count, 0);
        return true;
    }

    // Items beyond the end of a list do not belong to it. Null of what is not a list.
    private uint? ItemsOf(ulong list, ulong items, AwaiterLayout layout)
        => items != 0 && memory.TryReadUInt32(list + (ulong)layout.Count, out uint size) && size <= ListLimit && memory.TryReadUInt32(items + (ulong)memory.PointerSize, out uint room)
            ? Math.Min(size, room) : null;

    // Tasks are requested in address order, so the next one is mostly the next in the list.
    private bool IsIn(ulong[] sorted, ulong task)
    {
        int next = _lastPlace + 1;
        int place = next < sorted.Length && sorted[next] == task ? next : Array.BinarySearch(sorted, task);
        _lastPlace = Math.Max(place, -1);
        return place >= 0;
    }

    // Takes items of a list: those that are nothing but a waiter, and one more; the rest comes after everything that waits for that one.
    private bool Open(ref Cursor cursor, List<ulong> found)
    {
        ulong pointer = (ulong)memory.PointerSize, items = cursor.Items;
        for (uint left = cursor.Left; left > 0; left--, items += pointer)
        {
            if (!Step())
                return false;
            if (left > Later && memory.TryReadPointer(items + (Later * pointer), out ulong later) && memory.TryReadPointer(items + (Soon * pointer), out ulong soon))
                Announce(later, soon);
            ulong address = memory.TryReadPointer(items, out ulong item) ? item : 0;
            if (ResumedBy(address) is not 0 and var waiter)
            {
                found.Add(waiter);
                continue;
            }
            if (left > 1)
                _ahead.Push(cursor with { Items = items + pointer, Left = left - 1 });
            cursor = cursor with { Address = address };
            return true;
        }
        cursor = default;
        return true;
    }

    // An operation, or the one that a delegate resumes; 0 if there is more to it.
    private ulong ResumedBy(ulong address)
    {
        if (address == 0 || !MethodTables.TryRead(memory, address, out ulong methodTable))
            return 0;
        AwaiterLayout layout = layoutOf(methodTable);
        if (layout.Shape == AwaiterShape.Node)
            return address;
        return layout.Shape == AwaiterShape.Delegate && memory.TryReadPointer(address + (ulong)layout.Link, out ulong target)
            && MethodTables.TryRead(memory, target, out methodTable) && layoutOf(methodTable).Shape == AwaiterShape.Node ? target : 0;
    }

    private bool Step()
    {
        if (_steps < StepLimit)
        {
            _steps++;
            return true;
        }
        if (IsWhole)
            problems.AddPartial(new(ProblemCodes.ChainTooDeep, FormattableString.Invariant($"waiter lists of tasks have more than {StepLimit:N0} entries: the rest was not followed")));
        _steps = StepLimit + 1;
        return false;
    }

    private bool Follow(ulong address, int hops, List<ulong> found)
    {
        // Farther away than any valid waiter, and perhaps in a cycle.
        if (hops > UsualHops && !(Step() && _passed.Add(address)))
            return false;
        AwaiterLayout layout = MethodTables.TryRead(memory, address, out ulong methodTable) ? layoutOf(methodTable) : default;
        if (layout.Shape is AwaiterShape.Node or AwaiterShape.OtherTask or AwaiterShape.ForwardingPromise)
            found.Add(address);
        if (layout.Shape is AwaiterShape.Node or AwaiterShape.OtherTask)
            return true;
        if (layout.Shape == AwaiterShape.Unknown || !memory.TryReadPointer(address + (ulong)layout.Link, out ulong next))
            return false;
        if (layout.Shape == AwaiterShape.List)
            return PushItems(address, next, layout, hops);
        _ahead.Push(new(next, 0, 0, hops));
        return true;
    }

    private bool PushItems(ulong list, ulong items, AwaiterLayout layout, int hops)
    {
        if (ItemsOf(list, items, layout) is not { } count)
            return false;
        if (!_passed.Add(items))
        {
            problems.Add(ProblemCodes.CyclicChain, "a list of a task's waiters is a cycle; each waiter is shown once", list);
            return false;
        }
        if (count > 0)
            _ahead.Push(new(0, items + (ulong)ArrayLayout.FirstElement(memory), count, hops));
        return true;
    }

    /// <summary>An object to follow, or the rest of a list: the place of its next item, and their number.</summary>
    private readonly record struct Cursor(ulong Address, ulong Items, uint Left, int Hops);
}
