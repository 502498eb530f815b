using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Reachability;

/// <summary>
/// The kinds of waits of which it is known who can end them. Of promises made by hand, sources of ValueTasks and other awaiters it is
/// not: nothing is claimed of those.
/// </summary>
internal sealed class GateTypes(Target target)
{
    /// <summary>The promise of Task.WaitAsync, and of a SemaphoreSlim's with a token: what it waits for, its token, and its timer if that is set lead to it.</summary>
    public const string Left = "System.Threading.Tasks.Task+CancellationPromise<";

    // ReadAsync().AsTask().
    private const string AsTask = "+ValueTaskSourceAsTask";
    private static readonly string[] Combinators = ["System.Threading.Tasks.Task+WhenAllPromise", CountdownTaskLayout.TypeName];
    private static readonly string[] FirstOfSeveral = ["System.Threading.Tasks.Task+TwoTaskWhenAnyPromise", "System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise"];

    // The resource, and what stands in its queue; who waits for the first of those waits for the resource.
    private static readonly (string Resource, string[] Entries)[] Resources =
    [
        ("System.Threading.SemaphoreSlim", ["System.Threading.SemaphoreSlim+TaskNode"]),
        // A plain task stands for a channel's end.
        ("System.Threading.Channels.", ["System.Threading.Channels.", "System.Threading.Tasks.Task"]),
        ("System.IO.Pipelines.Pipe", ["System.IO.Pipelines.Pipe"]),
        ("System.Threading.Tasks.Dataflow.", ["System.Threading.Tasks.Task"]),
        // Those that fill up by themselves have a timer, which is a root.
        ("System.Threading.RateLimiting.", ["System.Threading.Tasks.Task"]),
        (Left, [Left]),
    ];

    private readonly LayoutCache<PromiseFields> _promises = new(target.Runtime, PromiseFields.Of);
    private readonly LayoutCache<TaskLayout> _tasks = new(target.Runtime, TaskLayout.Of);
    private readonly LayoutCache<ContinueWithFields> _continuations = new(target.Runtime, ContinueWithFields.Of);

    /// <summary>Something may be claimed of a wait.</summary>
    public bool IsUnderstood(WaitGate wait) => wait.Kind switch
    {
        GateKind.Promise => IsPlainPromise(wait.Awaited),
        GateKind.Combinator => NameOf(wait.Awaited) is { } name && (Begins(name, Combinators) || Begins(name, FirstOfSeveral)),
        GateKind.Event => true,
        _ => IsNotStarted(wait.Awaited) || IsResource(wait),
    };

    private static bool Begins(string name, string[] prefixes) => Array.Exists(prefixes, prefix => name.StartsWith(prefix, StringComparison.Ordinal));

    /// <summary>A task that only a TaskCompletionSource completes, and that is not completed.</summary>
    public bool IsPlainPromise(ulong address) => IsPlainPromise(new HeapObject(target.Memory, address));

    // Without a delegate nobody runs it, and without a state that leads further nobody gets from the task to what completes it.
    private bool IsPlainPromise(HeapObject task)
        => _promises.Of(task) is { } fields && task.Reference(fields.Action) == 0 && LeadsNowhere(task.Reference(fields.State))
            && task.UInt32(fields.Flags) is { } flags && !TaskLayout.IsCompleted(flags);

    // None, a text, a number in a box.
    private bool LeadsNowhere(ulong state)
        => state == 0 || (MethodTables.TryRead(target.Memory, state, out ulong table) && TypeLookup.Of(target.Runtime, table) is { ContainsPointers: false });

    // Of one that is started, or that another task starts, a flag says so (TaskStateFlags).
    private bool IsNotStarted(ulong address)
        => new HeapObject(target.Memory, address) is var task && _promises.Of(task) is { } fields && task.Reference(fields.Action) != 0 && task.UInt32(fields.Flags) is { } flags && (flags & TaskLayout.StartedMask) == 0;

    private bool IsResource(WaitGate wait)
    {
        if (NameOf(wait.Awaited) is not { } name)
            return false;
        foreach ((string resource, string[] entries) in Resources)
        {
            if (name.StartsWith(resource, StringComparison.Ordinal) || name.StartsWith(entries[0], StringComparison.Ordinal))
                return AreEntries(wait.Entries, entries);
        }
        return false;
    }

    private bool AreEntries(ReadOnlySpan<ulong> items, string[] entries)
    {
        foreach (ulong item in items)
        {
            if (NameOf(item) is not { } type || !(Begins(type, entries) || type.StartsWith(Left, StringComparison.Ordinal) || type.EndsWith(AsTask, StringComparison.Ordinal)))
                return false;
        }
        return true;
    }

    /// <summary>The task that completes when another one does, such as what Task.Run returns for an async method; 0 for none.</summary>
    public ulong TaskBehind(ulong task)
    {
        var item = new HeapObject(target.Memory, task);
        if (_tasks.Of(item) is not { } layout || item.Reference(layout.ContinuationObject) is not (not 0 and var next))
            return 0;
        var waiter = new HeapObject(target.Memory, next);
        return _tasks.Of(waiter) is not null ? next : _continuations.Of(waiter) is { } continuation ? waiter.Reference(continuation.Task) : 0;
    }

    /// <summary>Name of an object's type; null if there is none.</summary>
    public string? NameOf(ulong address)
        => MethodTables.TryRead(target.Memory, address, out ulong methodTable) ? TypeLookup.Of(target.Runtime, methodTable)?.Name : null;

    /// <summary><c>ContinueWithTaskContinuation</c> (System.Private.CoreLib 10.0.12, TaskContinuation.cs): what a task has that ContinueWith was called on.</summary>
    private sealed record ContinueWithFields(int Task)
    {
        public static ContinueWithFields? Of(ClrType type, int pointerSize)
            => type.Name == "System.Threading.Tasks.ContinueWithTaskContinuation" && FieldPath.Find(type, pointerSize, "m_task") is { } task ? new(task) : null;
    }

    /// <summary>Fields of a task that is exactly <c>Task</c> or <c>Task&lt;T&gt;</c> (System.Private.CoreLib 10.0.12, Task.cs).</summary>
    private sealed record PromiseFields(int Action, int State, int Flags)
    {
        public static PromiseFields? Of(ClrType type, int pointerSize)
            => type.Name is { } name && (name == TaskLayout.TypeName || (name.StartsWith(TaskLayout.TypeName + "<", StringComparison.Ordinal) && name.EndsWith('>')))
                && FieldPath.Find(type, pointerSize, "m_action") is { } action && FieldPath.Find(type, pointerSize, "m_stateObject") is { } state
                && FieldPath.Find(type, pointerSize, "m_stateFlags") is { } flags ? new(action, state, flags) : null;
    }
}

/// <summary>Tells lists of waiters that have none: Task.RemoveContinuation puts such a list where the only waiter was.</summary>
internal sealed class LeftWaiters(Target target)
{
    private const string ListName = "System.Collections.Generic.List<System.Object>";
    private const int ItemLimit = 100_000;

    private readonly LayoutCache<ListFields> _lists = new(target.Runtime, ListFields.Of);

    /// <summary>It is a list of waiters, and all have left.</summary>
    public bool IsEmpty(ulong continuationObject)
    {
        var list = new HeapObject(target.Memory, continuationObject);
        if (continuationObject == 0 || _lists.Of(list) is not { } fields || list.Int32(fields.Size) is not { } size)
            return false;
        return size == 0 || (size <= ItemLimit && ArrayLayout.ReadReferences(target.Memory, list.Reference(fields.Items), ItemLimit) is { Length: > 0 } items && items.Take(size).All(item => item == 0));
    }

    private sealed record ListFields(int Items, int Size)
    {
        public static ListFields? Of(ClrType type, int pointerSize)
            => type.Name == ListName && FieldPath.Find(type, pointerSize, "_items") is { } items && FieldPath.Find(type, pointerSize, "_size") is { } size ? new(items, size) : null;
    }
}
