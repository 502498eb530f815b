using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

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

/// <summary><c>System.Threading.Thread</c>, with what its code runs under.</summary>
/// <param name="ManagedId">int.</param>
/// <param name="Context">The SynchronizationContext, or null.</param>
internal sealed record ThreadContextLayout(int ManagedId, int Context)
{
    public static ThreadContextLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Thread" && FieldOffsets.Find(type, pointerSize, "_managedThreadId", "_synchronizationContext") is { } fields
            ? new(fields["_managedThreadId"], fields["_synchronizationContext"])
            : null;
}

/// <summary>The scheduler of a <c>Task</c>.</summary>
/// <param name="Scheduler">TaskScheduler, or null.</param>
internal sealed record TaskSchedulerLayout(int Scheduler)
{
    public static TaskSchedulerLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TaskLayout.TypeName) is { } task && FieldPath.Find(task, pointerSize, "m_taskScheduler") is { } field ? new(field) : null;
}

/// <summary><c>System.Threading.PortableThreadPool</c>: how many workers there are.</summary>
/// <param name="Counts">ulong of ThreadCounts: int16 each, workers that run something, workers, the goal.</param>
internal sealed record PoolLayout(int Counts)
{
    public const string TypeName = "System.Threading.PortableThreadPool";

    public static PoolLayout? Of(ClrType type, int pointerSize)
        => type.Name == TypeName && FieldPath.Find(type, pointerSize, "_separated", "counts", "_data") is { } counts ? new(counts) : null;

    public static (int Running, int Workers) Split(long counts) => ((short)counts, (short)(counts >> 16));
}

/// <summary><c>System.Threading.ThreadPoolWorkQueue</c>: what all workers take from.</summary>
/// <param name="Queues">ConcurrentQueues.</param>
internal sealed record PoolQueueLayout(IReadOnlyList<int> Queues)
{
    private static readonly string[] Fields = ["highPriorityWorkItems", "workItems", "lowPriorityWorkItems"];

    public static PoolQueueLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ThreadPoolWorkQueue"
            ? new([.. Fields.Select(name => FieldPath.Find(type, pointerSize, name)).OfType<int>()])
            : null;
}

/// <summary><c>ThreadPoolWorkQueue.WorkStealingQueue</c>: what one worker has queued for itself. Item i is at <c>i &amp; m_mask</c>.</summary>
/// <param name="Items">object[].</param>
/// <param name="Head">int.</param>
/// <param name="Tail">int.</param>
/// <param name="Mask">int.</param>
internal sealed record StealingQueueLayout(int Items, int Head, int Tail, int Mask)
{
    public static StealingQueueLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ThreadPoolWorkQueue+WorkStealingQueue"
            && FieldOffsets.Find(type, pointerSize, "m_array", "m_headIndex", "m_tailIndex", "m_mask") is { } f
            ? new(f["m_array"], f["m_headIndex"], f["m_tailIndex"], f["m_mask"])
            : null;
}

/// <summary>A work item that is not a task: what it will call with which state.</summary>
/// <param name="State">Object that the callback is given; of Task.Yield the delegate that resumes.</param>
internal sealed record WorkItemLayout(int State)
{
    public static WorkItemLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.QueueUserWorkItemCallback", StringComparison.Ordinal) == true
            && type.GetFieldByName("_state") is { IsObjectReference: true } && FieldPath.Find(type, pointerSize, "_state") is { } state
            ? new(state)
            : null;
}
