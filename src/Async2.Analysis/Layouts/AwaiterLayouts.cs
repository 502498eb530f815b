using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What an object that stands in <c>Task.m_continuationObject</c> is, and so where the waiting task is behind it.</summary>
internal enum AwaiterShape
{
    /// <summary>Not followed: the sentinel of a completed task, or a kind that this version does not read.</summary>
    Unknown,

    /// <summary>A delegate: <c>_target</c> is the ThunkTask (its MoveNext) or the state machine's box.</summary>
    Delegate,

    /// <summary>A wrapper with <c>m_action</c>: AwaitTaskContinuation and its kinds for contexts and schedulers.</summary>
    Wrapper,

    /// <summary>Several waiters, <c>List&lt;object&gt;</c>.</summary>
    List,

    /// <summary>A runtime-async task itself.</summary>
    ThunkTask,

    /// <summary>A promise with a single inner task: Task.Run(async ...) and WaitAsync; who waits for it waits for the inner one.</summary>
    ForwardingPromise,

    /// <summary>Another task, such as the promise of WhenAll.</summary>
    OtherTask,
}

/// <summary>Shape and field offsets of one type that can wait for a task.</summary>
/// <param name="Shape">What it is.</param>
/// <param name="Link">Offset of the field to follow: target, action, items or continuation object.</param>
/// <param name="Count">Offset of the list's size.</param>
internal readonly record struct AwaiterLayout(AwaiterShape Shape, int Link = 0, int Count = 0);

/// <summary>The awaiter layout of each method table, asked once (System.Private.CoreLib 10.0.12).</summary>
internal sealed class AwaiterLayouts(ClrRuntime runtime, TaskLayout task)
{
    private const string TaskPrefix = "System.Threading.Tasks.";

    private readonly Dictionary<ulong, AwaiterLayout> _known = [];

    public AwaiterLayout Of(ulong methodTable)
    {
        if (!_known.TryGetValue(methodTable, out AwaiterLayout layout))
            _known[methodTable] = layout = runtime.GetTypeByMethodTable(methodTable) is { } type ? Find(type) : default;
        return layout;
    }

    private AwaiterLayout Find(ClrType type)
    {
        string name = type.Name ?? "";
        if (AsyncTypes.Classify(type) == AsyncTypeKind.ThunkTask)
            return new(AwaiterShape.ThunkTask);
        if (name.StartsWith("System.Collections.Generic.List<", StringComparison.Ordinal))
            return Linked(AwaiterShape.List, type, "_items", "_size");
        if (BaseTypes.Find(type, "System.Delegate") is not null)
            return Linked(AwaiterShape.Delegate, type, "_target");
        if (BaseTypes.Find(type, TaskLayout.TypeName) is not null)
            return new(IsForwarding(name) ? AwaiterShape.ForwardingPromise : AwaiterShape.OtherTask, task.ContinuationObject);
        return name.StartsWith(TaskPrefix, StringComparison.Ordinal) ? Linked(AwaiterShape.Wrapper, type, "m_action") : default;
    }

    private static bool IsForwarding(string name)
        => name.StartsWith("System.Threading.Tasks.UnwrapPromise<", StringComparison.Ordinal)
            || name.StartsWith("System.Threading.Tasks.Task+CancellationPromise<", StringComparison.Ordinal);

    private AwaiterLayout Linked(AwaiterShape shape, ClrType type, params ReadOnlySpan<string> fields)
        => FieldOffsets.Find(type, runtime.DataTarget.DataReader.PointerSize, fields) is { } offsets
            ? new(shape, offsets[fields[0]], fields.Length > 1 ? offsets[fields[1]] : 0)
            : default;
}
