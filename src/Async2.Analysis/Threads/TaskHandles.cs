using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Threads;

/// <summary>From an event of the operating system that a thread waits for to the task that will set it: <c>Task.AsyncWaitHandle</c>.</summary>
internal sealed class TaskHandles(Target target, HeapIndex index, PendingTasks tasks)
{
    private readonly LayoutCache<CompletionLayout> _tasks = new(target.Runtime, CompletionLayout.Of);
    private readonly LayoutCache<CompletionEventLayout> _properties = new(target.Runtime, CompletionEventLayout.Of);
    private readonly LayoutCache<EventHandleLayout> _events = new(target.Runtime, EventHandleLayout.Of);
    private Dictionary<ulong, ulong>? _operations;

    /// <summary>The pending task whose event is among some objects; 0 if there is none.</summary>
    /// <param name="held">Objects that the blocking frames hold: the event, and perhaps the task.</param>
    public ulong TaskOf(IReadOnlyList<ulong> held)
    {
        // Most threads wait for something else, and then no operation has to be asked.
        ulong[] events = [.. held.Where(IsEvent)];
        if (events.Length == 0)
            return 0;
        foreach (ulong address in held)
        {
            if (tasks.IsPending(address) && HandleOf(address) is not 0 and var handle && events.Contains(handle))
                return address;
        }
        _operations ??= Operations();
        return events.Select(address => _operations.GetValueOrDefault(address)).FirstOrDefault(task => task != 0);
    }

    private Dictionary<ulong, ulong> Operations()
    {
        var found = new Dictionary<ulong, ulong>(index.Events);
        foreach (ref readonly NodeRow row in index.Nodes)
        {
            if (HandleOf(row.Address) is not 0 and var handle)
                found.TryAdd(handle, row.Address);
        }
        return found;
    }

    private bool IsEvent(ulong address)
        => MethodTables.TryRead(target.Memory, address, out ulong methodTable) && TypeLookup.Of(target.Runtime, methodTable)?.Name == EventHandleLayout.HandleType;

    // The ManualResetEvent behind a task's ManualResetEventSlim; 0 for none.
    private ulong HandleOf(ulong task)
    {
        var item = new HeapObject(target.Memory, task);
        if (_tasks.Of(item) is not { } layout || item.At(layout.Properties) is not { Address: not 0 } properties
            || _properties.Of(properties) is not { } completion || properties.At(completion.Event) is not { Address: not 0 } slim || _events.Of(slim) is not { } handle)
            return 0;
        return slim.Reference(handle.Handle);
    }
}
