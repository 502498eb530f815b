using Async2.Analysis.Layouts.Types;
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

/// <summary>A <c>Task</c> that a scheduler runs.</summary>
/// <param name="Scheduler">TaskScheduler, or null.</param>
/// <param name="Action">The delegate.</param>
/// <param name="State">What the delegate is given, or null.</param>
/// <param name="Flags">uint.</param>
internal sealed record TaskSchedulerLayout(int Scheduler, int Action, int State, int Flags)
{
    // Task.TASK_STATE_DELEGATE_INVOKED.
    private const uint Invoked = 0x20000;

    public static TaskSchedulerLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TaskLayout.TypeName) is { } task
            && FieldOffsets.Find(task, pointerSize, "m_taskScheduler", "m_action", "m_stateObject", "m_stateFlags") is { } f
            ? new(f["m_taskScheduler"], f["m_action"], f["m_stateObject"], f["m_stateFlags"])
            : null;

    public static bool HasBegun(uint flags) => (flags & Invoked) != 0 || TaskLayout.IsCompleted(flags);
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
    private const uint OnCapturedContext = 0x10;
    private const uint OnCapturedScheduler = 0x20;

    /// <summary>0 when it goes on anywhere, or nobody can tell.</summary>
    public static ulong In(HeapObject continuation, ContinuationLayout layout)
    {
        if (layout is not { Shape: ContinuationShape.Arrays, FlagsOffset: > 0 } || continuation.UInt32(layout.FlagsOffset) is not { } flags
            || (flags & (OnCapturedContext | OnCapturedScheduler)) == 0)
            return 0;
        uint index = ((flags & ResultInGCData) == 0 ? 0u : 1) + ((flags & NeedsException) == 0 ? 0u : 1);
        HeapObject saved = continuation.At(layout.SavingOffsets.GCData);
        return saved.Length() > index ? saved.Reference(ArrayLayout.FirstElement(saved.Memory) + ((int)index * saved.Memory.PointerSize)) : 0;
    }
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
