using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes;

/// <summary>
/// Follows <c>m_continuationObject</c> from a task to the runtime-async tasks that wait for it: through delegates, context
/// wrappers, lists and promises with a single inner task.
/// </summary>
internal sealed class AwaiterReader(TargetMemory memory, AwaiterLayouts layouts)
{
    // What one task can have: a few hops each; a list of waiters may be long (everybody waits for one gate).
    private const int HopLimit = 16;
    private const int ListLimit = 1_000_000;

    private readonly Dictionary<ulong, HashSet<ulong>> _lists = [];
    private readonly List<ulong> _found = [];

    /// <summary>Adds the addresses of ThunkTasks that wait for the task with this continuation object, in waiting order.</summary>
    /// <param name="continuationObject">Content of <c>m_continuationObject</c>.</param>
    /// <param name="found">Receives the addresses.</param>
    /// <returns>False when there is a waiter of a kind that is not followed.</returns>
    public bool Read(ulong continuationObject, List<ulong> found)
    {
        if (continuationObject == 0)
            return true;
        AwaiterLayout layout = LayoutOf(continuationObject);
        return layout.Shape == AwaiterShape.List ? ReadList(continuationObject, layout, found) : FollowOne(continuationObject, found);
    }

    /// <summary>Whether a ThunkTask is among the waiters. A list is read once: thousands of chains may share one gate.</summary>
    public bool Contains(ulong continuationObject, ulong task)
    {
        if (_lists.TryGetValue(continuationObject, out HashSet<ulong>? known))
            return known.Contains(task);
        _found.Clear();
        Read(continuationObject, _found);
        if (_found.Count > 1)
            _lists[continuationObject] = [.. _found];
        return _found.Contains(task);
    }

    private bool ReadList(ulong list, AwaiterLayout layout, List<ulong> found)
    {
        if (!memory.TryReadPointer(list + (ulong)layout.Link, out ulong items)
            || !memory.TryReadUInt32(list + (ulong)layout.Count, out uint size) || size > ListLimit)
            return false;
        bool all = true;
        foreach (ulong item in ArrayLayout.ReadReferences(memory, items, ListLimit).Take((int)size))
            all &= item == 0 || FollowOne(item, found);
        return all;
    }

    private bool FollowOne(ulong address, List<ulong> found)
    {
        for (int hop = 0; hop < HopLimit && address != 0; hop++)
        {
            AwaiterLayout layout = LayoutOf(address);
            switch (layout.Shape)
            {
                case AwaiterShape.ThunkTask:
                    found.Add(address);
                    return true;
                case AwaiterShape.Delegate or AwaiterShape.Wrapper or AwaiterShape.ForwardingPromise
                    when memory.TryReadPointer(address + (ulong)layout.Link, out ulong next):
                    address = next;
                    break;
                default:
                    return false;
            }
        }
        return address == 0;
    }

    private AwaiterLayout LayoutOf(ulong address)
        => MethodTables.TryRead(memory, address, out ulong methodTable) ? layouts.Of(methodTable) : default;
}
