using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Pool;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>
/// Finds work that was posted to contexts and schedulers if the awaited object does not lead to it: after Task.Yield, from a
/// channel, by a custom awaiter. The queue can be of any type, but it is reachable from the context; and posted work
/// is next to its SendOrPostCallback, or is the delegate of a task of the scheduler.
/// </summary>
/// <param name="all">The target's objects.</param>
/// <param name="items">Follows what was posted to what it resumes.</param>
internal sealed class PostedWork(WaitReaderContext all, WorkItems items)
{
    private const string Callback = "System.Threading.SendOrPostCallback";

    // A queue is near its owner; farther objects could be those of the whole program.
    private const int ObjectLimit = 100_000;

    // The maximum distance of references in one object: other fields can be between the callback and its state.
    private const int Near = 2;

    private readonly LayoutCache<TaskSchedulerLayout> _tasks = all.Layouts(TaskSchedulerLayout.Of);
    private readonly Dictionary<ulong, bool> _callbacks = [];
    private readonly List<ulong> _found = [];

    /// <summary>Where each operation was posted to; 0 for one that several places seem to have.</summary>
    /// <param name="places">Contexts and schedulers.</param>
    public Dictionary<ulong, ulong> In(IEnumerable<ulong> places)
    {
        var posted = new Dictionary<ulong, ulong>();
        foreach (ulong place in places)
        {
            _found.Clear();
            Search(place);
            foreach (ulong operation in _found)
                posted[operation] = posted.TryGetValue(operation, out ulong other) && other != place ? 0 : place;
        }
        return posted;
    }

    private void Search(ulong place)
    {
        HashSet<ulong> seen = [place];
        Queue<ulong> ahead = new([place]);
        while (ahead.TryDequeue(out ulong address))
        {
            ulong[] references = ReferencesOf(address);
            if (_tasks.Of(all.At(address)) is { } task)
                TakeTask(all.At(address), task, place);
            else
                TakeMessages(references);
            foreach (ulong reference in references)
            {
                if (seen.Count < ObjectLimit && seen.Add(reference))
                    ahead.Enqueue(reference);
            }
        }
    }

    private void TakeTask(HeapObject task, TaskSchedulerLayout layout, ulong place)
    {
        if (task.Reference(layout.Scheduler) != place || task.UInt32(layout.Flags) is not { } flags || TaskSchedulerLayout.HasBegun(flags))
            return;
        items.Resumed(task.Reference(layout.Action), _found);
        items.Resumed(task.Reference(layout.State), _found);
    }

    private void TakeMessages(ulong[] references)
    {
        for (int i = 0; i < references.Length; i++)
        {
            if (!IsCallback(references[i]))
                continue;
            for (int near = Math.Max(0, i - Near); near <= Math.Min(i + Near, references.Length - 1); near++)
            {
                if (near != i)
                    items.Resumed(references[near], _found);
            }
        }
    }

    private bool IsCallback(ulong address)
    {
        ulong methodTable = all.At(address).MethodTable();
        if (!_callbacks.TryGetValue(methodTable, out bool known))
            _callbacks[methodTable] = known = TypeLookup.Of(all.Target.Runtime, methodTable)?.Name == Callback;
        return known;
    }

    // In the order of memory, so that neighbours in an array of structs are neighbours.
    private ulong[] ReferencesOf(ulong address)
        => [.. all.Target.Runtime.Heap.GetObject(address).EnumerateReferences(carefully: true, considerDependantHandles: false).Take(ObjectLimit).Select(o => o.Address)];
}

/// <summary>A <c>Task</c> that a scheduler runs.</summary>
/// <param name="Scheduler">TaskScheduler, or null.</param>
/// <param name="Action">The delegate.</param>
/// <param name="State">What the delegate is given, or null.</param>
/// <param name="Flags">uint.</param>
internal sealed record TaskSchedulerLayout(int Scheduler, int Action, int State, int Flags)
{
    // Task.TASK_STATE_STARTED, TASK_STATE_DELEGATE_INVOKED.
    private const uint Started = 0x10000;
    private const uint Invoked = 0x20000;

    public static TaskSchedulerLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TaskLayout.TypeName) is { } task
            && FieldOffsets.Find(task, pointerSize, "m_taskScheduler", "m_action", "m_stateObject", "m_stateFlags") is { } f
            ? new(f["m_taskScheduler"], f["m_action"], f["m_stateObject"], f["m_stateFlags"])
            : null;

    public static bool IsQueued(uint flags) => (flags & Started) != 0 && !HasBegun(flags);

    public static bool HasBegun(uint flags) => (flags & Invoked) != 0 || TaskLayout.IsCompleted(flags);
}
