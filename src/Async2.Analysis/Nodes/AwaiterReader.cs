using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes;

/// <summary>
/// Follows <c>m_continuationObject</c> from a task to the async operations that wait for it: through delegates, context wrappers,
/// lists and promises with a single inner task.
/// </summary>
internal sealed class AwaiterReader(TargetMemory memory, AwaiterLayouts layouts)
{
    // What one task can have: a few hops each; a list of waiters may be long (everybody waits for one gate).
    private const int HopLimit = 16;
    private const int ListLimit = 50_000_000;

    private readonly Dictionary<ulong, ulong[]> _lists = [];
    private readonly List<ulong> _found = [];
    private readonly Stack<Cursor> _ahead = new();
    private int _lastPlace;

    /// <summary>
    /// Adds the addresses of the tasks and boxes that wait behind this continuation object, in waiting order; promises on the way
    /// come before what waits for them.
    /// </summary>
    /// <param name="continuationObject">Content of <c>m_continuationObject</c>.</param>
    /// <param name="found">Receives the addresses.</param>
    /// <returns>False when there is a waiter of a kind that is not followed.</returns>
    public bool Read(ulong continuationObject, List<ulong> found)
    {
        bool all = true;
        int budget = ListLimit;
        _ahead.Clear();
        _ahead.Push(new(continuationObject, null, 0, 0));
        while (_ahead.TryPop(out Cursor cursor))
        {
            if (cursor.Items is { } items && cursor.At + 1 < items.Length)
                _ahead.Push(cursor with { Address = items[cursor.At + 1], At = cursor.At + 1 });
            all &= cursor.Address == 0 || (cursor.Hops < HopLimit && budget-- > 0 && Follow(cursor.Address, cursor.Hops + 1, found));
        }
        return all;
    }

    /// <summary>Whether an operation is among the waiters. A list is read once: thousands of chains may share one gate.</summary>
    public bool Contains(ulong continuationObject, ulong task)
    {
        if (_lists.TryGetValue(continuationObject, out ulong[]? known))
            return IsIn(known, task);
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
        => MethodTables.TryRead(memory, address, out ulong methodTable) && layouts.Of(methodTable) is { Shape: AwaiterShape.Delegate } layout
            && memory.TryReadPointer(address + (ulong)layout.Link, out ulong target) && target == task;

    // Who is asked for are tasks in address order, so the next one is mostly the next in the list.
    private bool IsIn(ulong[] sorted, ulong task)
    {
        int next = _lastPlace + 1;
        int place = next < sorted.Length && sorted[next] == task ? next : Array.BinarySearch(sorted, task);
        _lastPlace = Math.Max(place, -1);
        return place >= 0;
    }

    private bool Follow(ulong address, int hops, List<ulong> found)
    {
        AwaiterLayout layout = MethodTables.TryRead(memory, address, out ulong methodTable) ? layouts.Of(methodTable) : default;
        if (layout.Shape is AwaiterShape.Node or AwaiterShape.OtherTask or AwaiterShape.ForwardingPromise)
            found.Add(address);
        if (layout.Shape is AwaiterShape.Node or AwaiterShape.OtherTask)
            return true;
        if (layout.Shape == AwaiterShape.Unknown || !memory.TryReadPointer(address + (ulong)layout.Link, out ulong next))
            return false;
        if (layout.Shape == AwaiterShape.List)
            return PushItems(address, next, layout, hops);
        _ahead.Push(new(next, null, 0, hops));
        return true;
    }

    private bool PushItems(ulong list, ulong items, AwaiterLayout layout, int hops)
    {
        if (!memory.TryReadUInt32(list + (ulong)layout.Count, out uint size) || size > ListLimit)
            return false;
        ulong[] waiters = ArrayLayout.ReadReferences(memory, items, ListLimit);
        // The items of a list behind its end are not in it.
        if (size < waiters.Length)
            waiters = waiters[..(int)size];
        if (waiters.Length > 0)
            _ahead.Push(new(waiters[0], waiters, 0, hops));
        return true;
    }

    /// <summary>An object to follow, and the list that it is in.</summary>
    private readonly record struct Cursor(ulong Address, ulong[]? Items, int At, int Hops);
}
