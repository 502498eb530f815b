using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary>What a promise over several tasks waits for.</summary>
internal enum PromiseKind
{
    All,
    Any,
    Each,
}

/// <summary>
/// A promise that several tasks complete (System.Private.CoreLib 10.0.12, Task.cs and TaskFactory.cs): of WhenAll, WhenAny,
/// WhenEach, ContinueWhenAll, ContinueWhenAny.
/// </summary>
internal sealed record PromiseLayout
{
    private const string Prefix = "System.Threading.Tasks.Task";

    public required PromiseKind Kind { get; init; }

    /// <summary>Offset of an int: tasks that have not completed.</summary>
    public int? Remaining { get; init; }

    /// <summary>Offset of the array or list of all tasks.</summary>
    public int? Tasks { get; init; }

    /// <summary>Offsets of single tasks.</summary>
    public IReadOnlyList<int> Singles { get; init; } = [];

    public static PromiseLayout? Of(ClrType type, int pointerSize)
    {
        int? Field(string name) => FieldPath.Find(type, pointerSize, name);
        bool Is(string name) => type.Name?.StartsWith(Prefix + name, StringComparison.Ordinal) == true;
        return Is("+WhenAllPromise") ? new() { Kind = PromiseKind.All, Remaining = Field("_remainingToComplete") ?? Field("m_count"), Tasks = Field("m_tasks") }
            : Is("+TwoTaskWhenAnyPromise") ? new() { Kind = PromiseKind.Any, Singles = [.. new[] { Field("_task1"), Field("_task2") }.OfType<int>()] }
            : type.Name == Prefix + "+WhenEachState" ? new() { Kind = PromiseKind.Each, Remaining = Field("<Remaining>k__BackingField") }
            : Is("Factory+CompleteOnCountdownPromise") ? new() { Kind = PromiseKind.All, Remaining = Field("_count"), Tasks = Field("_tasks") }
            : Is("Factory+CompleteOnInvokePromise") ? new() { Kind = PromiseKind.Any, Tasks = Field("_tasks") }
            : null;
    }
}

/// <summary><c>Task+CancellationPromise</c>, the promise of <c>Task.WaitAsync</c>.</summary>
/// <param name="Task">What is waited for.</param>
/// <param name="Token">Node of the registration with a token.</param>
/// <param name="Timer">ITimer of the timeout.</param>
internal sealed record WaitAsyncLayout(int Task, int? Token, int Timer)
{
    public static WaitAsyncLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.Tasks.Task+CancellationPromise<", StringComparison.Ordinal) == true
            && FieldOffsets.Find(type, pointerSize, "_task", "_timer") is { } fields
            ? new(fields["_task"], TokenLayouts.RegistrationIn(type, pointerSize, "_registration"), fields["_timer"])
            : null;
}

/// <summary><c>UnwrapPromise</c>, what Task.Run of an async delegate returns.</summary>
/// <param name="State">byte: 0 while the delegate has not returned its task, 1 while that task is pending.</param>
internal sealed record UnwrapLayout(int State)
{
    public const byte WaitingOnOuter = 0;

    public static UnwrapLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.Tasks.UnwrapPromise<", StringComparison.Ordinal) == true
            && FieldPath.Find(type, pointerSize, "_state") is { } state
            ? new(state)
            : null;
}

/// <summary>A task that runs after another: <c>ContinuationTaskFromTask</c> and its three brothers.</summary>
/// <param name="Antecedent">The task before it; null once it runs.</param>
internal sealed record ContinuationTaskLayout(int Antecedent)
{
    public static ContinuationTaskLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.Tasks.Continuation", StringComparison.Ordinal) == true
            && FieldPath.Find(type, pointerSize, "m_antecedent") is { } antecedent
            ? new(antecedent)
            : null;
}

/// <summary><c>ValueTask+ValueTaskSourceAsTask</c>: a task over a value task source.</summary>
/// <param name="Source">The source; null once it has completed.</param>
internal sealed record SourceAsTaskLayout(int Source)
{
    public static SourceAsTaskLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.Tasks.ValueTask", StringComparison.Ordinal) == true
            && FieldPath.Find(type, pointerSize, "_source") is { } source
            ? new(source)
            : null;
}

/// <summary>A task of the framework's own kinds has more in it than this; the plain one is a delegate to run, or a promise.</summary>
/// <param name="Action">The delegate; null for a promise.</param>
/// <param name="StateFlags">int, Task.TaskStateFlags.</param>
/// <param name="ContinuationObject">Who waits for it.</param>
internal sealed record PlainTaskLayout(int Action, int StateFlags, int ContinuationObject)
{
    private const string TypeName = TaskLayout.TypeName;

    // Task.TaskStateFlags
    private const int Started = 0x10000;
    private const int DelegateInvoked = 0x20000;
    private const int WaitingOnChildren = 0x800000;

    public static PlainTaskLayout? Of(ClrType type, int pointerSize)
        => type.Name is { } name && (name == TypeName || name.StartsWith(TypeName + "<", StringComparison.Ordinal))
            && BaseTypes.Find(type, TypeName) is { } task
            && FieldOffsets.Find(task, pointerSize, "m_action", "m_stateFlags", "m_continuationObject") is { } fields
            ? new(fields["m_action"], fields["m_stateFlags"], fields["m_continuationObject"])
            : null;

    /// <summary>What a task with a delegate does.</summary>
    public static WaitFactKey Doing(int stateFlags)
        => TaskLayout.IsCompleted((uint)stateFlags) ? WaitFactKey.TaskCompleted
            : (stateFlags & WaitingOnChildren) != 0 ? WaitFactKey.TaskWaitsForChildren
            : (stateFlags & DelegateInvoked) != 0 ? WaitFactKey.TaskRunning
            : (stateFlags & Started) != 0 ? WaitFactKey.TaskQueued
            : WaitFactKey.TaskNotStarted;
}
