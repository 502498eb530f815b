using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Tasks that stand for another awaited object: WaitAsync, ContinueWith, Task.Run of an async delegate, ValueTask.AsTask.</summary>
internal sealed class ForwardingWaits(WaitReaderContext all) : IWaitFamily<ForwardingWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.Threading.Tasks.UnwrapPromise", WaitKind.Task, "Task.Run"),
        new("System.Threading.Tasks.Task+CancellationPromise", WaitKind.Task, "Task.WaitAsync"),
    ];

    private static readonly WaitReason Promise = new(WaitKind.Task, "Task.WaitAsync");
    private static readonly WaitReason OfSemaphore = new(WaitKind.Task);
    private static readonly WaitReason After = new(WaitKind.Task, "Task.ContinueWith");
    private static readonly WaitReason Run = new(WaitKind.Task, "Task.Run");
    private static readonly WaitReason RunOuter = Run with { Shared = [new(WaitFactKey.DelegateNotReturned)] };
    private static readonly WaitReason RunInner = Run with { Shared = [new(WaitFactKey.TaskPending)] };

    private readonly LayoutCache<QueueNodeLayout> _taskNodes = all.Layouts(QueueNodeLayout.OfTaskNode);
    private readonly DelegateNames _delegates = new(all);
    private readonly WaitFactList _facts = new();

    public static ForwardingWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        int pointerSize = all.PointerSize;
        if (WaitAsyncLayout.Of(type, pointerSize) is { } wait)
            return address => WaitAsync(all.At(address), wait);
        if (SourceAsTaskLayout.Of(type, pointerSize) is { } task)
            return address => new(null, all.At(address).Reference(task.Source));
        if (ContinuationTaskLayout.Of(type, pointerSize) is { } after)
            return address => Continuation(all.At(address), after);
        return UnwrapLayout.Of(type, pointerSize) is { } unwrap ? address => new(Unwrap(all.At(address), unwrap)) : null;
    }

    // SemaphoreSlim uses the same promise for a wait with a timeout or token: then the program did not call Task.WaitAsync.
    private WaitStep WaitAsync(HeapObject promise, WaitAsyncLayout layout)
    {
        HeapObject task = promise.At(layout.Task);
        bool isSemaphore = _taskNodes.Of(task) is not null;
        AddTimeout(promise, layout);
        return new((isSemaphore ? OfSemaphore : Promise) with { Own = _facts.Take() }, task.Address, isSemaphore) { Timer = promise.Reference(layout.Timer) };
    }

    // Once the task before it is done, it waits for a thread.
    private WaitStep Continuation(HeapObject task, ContinuationTaskLayout layout)
        => task.Int32(layout.StateFlags) is { } flags && PlainTaskLayout.Doing(flags) == WaitFactKey.TaskQueued
            ? new(After with { Shared = [new(WaitFactKey.TaskQueued, Text: _delegates.Of(task.At(layout.Action)))] })
            : new(After, task.Reference(layout.Antecedent));

    private static WaitReason Unwrap(HeapObject promise, UnwrapLayout layout)
        => promise.Byte(layout.State) is { } code ? code == UnwrapLayout.WaitingOnOuter ? RunOuter : RunInner : Run;

    // The time left until the timeout.
    private void AddTimeout(HeapObject promise, WaitAsyncLayout layout)
    {
        if (promise.Reference(layout.Timer) is not 0 and var timer && all.Timers.Read(timer) is { Due: { } due } found)
        {
            _facts.Add(WaitFactKey.Timeout, due);
            _facts.AddDue(found);
        }
        all.Tokens.AddRegistration(_facts, promise, layout.Token);
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
/// <param name="Action">The delegate.</param>
/// <param name="StateFlags">int, Task.TaskStateFlags.</param>
internal sealed record ContinuationTaskLayout(int Antecedent, int Action, int StateFlags)
{
    public static ContinuationTaskLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.Tasks.Continuation", StringComparison.Ordinal) == true
            && FieldOffsets.Find(type, pointerSize, "m_antecedent", "m_action", "m_stateFlags") is { } fields
            ? new(fields["m_antecedent"], fields["m_action"], fields["m_stateFlags"])
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
