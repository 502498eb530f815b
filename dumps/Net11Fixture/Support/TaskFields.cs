using System.Runtime.CompilerServices;

namespace Net11Fixture.Support;

/// <summary>Fields of Task, which .NET 11 has under the same names.</summary>
internal static class TaskFields
{
    // TASK_STATE_WAITINGFORACTIVATION, InternalTaskOptions.PromiseTask and HiddenState.
    private const int Pending = 0x2000000 | 0x400 | 0x800;

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_stateObject")]
    public static extern ref object? StateObject(Task task);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_continuationObject")]
    public static extern ref object? ContinuationObject(Task task);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_action")]
    public static extern ref Delegate? Action(Task task);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_stateFlags")]
    public static extern ref int Flags(Task task);

    public static void SetPending(Task task) => Flags(task) = Pending;

    /// <summary>Registers a waiter as Task.AddTaskContinuation does: itself, or in a list with those that were there.</summary>
    public static void AddWaiter(Task task, object waiter)
    {
        ref object? current = ref ContinuationObject(task);
        switch (current)
        {
            case null:
                current = waiter;
                break;
            case List<object?> several:
                several.Add(waiter);
                break;
            default:
                current = new List<object?> { current, waiter };
                break;
        }
    }
}
