using Async2.Analysis.Awaiters;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Pool;

/// <summary>Follows what is queued somewhere to the operations that it will resume.</summary>
/// <param name="all">The target's objects.</param>
/// <param name="awaiters">Follows delegates and wrappers.</param>
internal sealed class WorkItems(WaitReaderContext all, AwaiterReader awaiters)
{
    private readonly LayoutCache<WorkItemLayout> _layouts = all.Layouts(WorkItemLayout.Of);

    /// <param name="item">A work item, or the state that a callback will be given.</param>
    /// <param name="found">Receives the addresses of tasks and boxes.</param>
    public void Resumed(ulong item, List<ulong> found)
    {
        HeapObject queued = all.At(item);
        awaiters.Read(_layouts.Of(queued) is { } layout ? queued.Reference(layout.State) : item, found);
    }
}

/// <summary>A work item that is not a task: what it will call with which state. An operation of a channel is one, too, when it has completed.</summary>
/// <param name="State">Object that the callback is given; of Task.Yield the delegate that resumes.</param>
internal sealed record WorkItemLayout(int State)
{
    private static readonly (string Prefix, string Field)[] Table =
    [
        ("System.Threading.QueueUserWorkItemCallback", "_state"),
        ("System.Threading.Channels.", "_continuationState"),
    ];

    public static WorkItemLayout? Of(ClrType type, int pointerSize)
    {
        foreach ((string prefix, string field) in Table)
        {
            if (type.Name?.StartsWith(prefix, StringComparison.Ordinal) == true && type.GetFieldByName(field) is { IsObjectReference: true }
                && FieldPath.Find(type, pointerSize, field) is { } state)
                return new(state);
        }
        return null;
    }
}
