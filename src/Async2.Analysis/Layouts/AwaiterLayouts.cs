using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What an object that stands in <c>Task.m_continuationObject</c> is, and so where the waiting task is behind it.</summary>
internal enum AwaiterShape
{
    /// <summary>Not followed: the sentinel of a completed task, or a kind that this version does not read.</summary>
    Unknown,

    /// <summary>A delegate: <c>_target</c> is the ThunkTask (its MoveNext) or the state machine's box.</summary>
    Delegate,

    /// <summary>
    /// A wrapper around what waits: AwaitTaskContinuation and its kinds for contexts and schedulers, the debugger's
    /// ContinuationWrapper, the task of ContinueWith.
    /// </summary>
    Wrapper,

    /// <summary>Several waiters, <c>List&lt;object&gt;</c>.</summary>
    List,

    /// <summary>An async operation with frames: a runtime-async task, or the box of a state machine.</summary>
    Node,

    /// <summary>
    /// A task that completes with a single other one: Task.Run(async ...), WaitAsync, ContinueWith, a value task turned into a
    /// task; who waits for it waits for that one.
    /// </summary>
    ForwardingPromise,

    /// <summary>Another task: a combinator such as WhenAll's, or one that somebody completes by hand; or what Task.WaitAll blocks on, or Task.WhenEach waits for.</summary>
    OtherTask,
}

/// <summary>Shape and field offsets of one type that can wait for a task.</summary>
/// <param name="Shape">What it is.</param>
/// <param name="Link">Offset of the field to follow: target, action, items or continuation object.</param>
/// <param name="Count">Offset of the list's size.</param>
internal readonly record struct AwaiterLayout(AwaiterShape Shape, int Link = 0, int Count = 0);

/// <summary>The awaiter layout of each method table, asked once (System.Private.CoreLib 10.0.12).</summary>
/// <param name="runtime">Knows the types.</param>
/// <param name="types">Knows which are async.</param>
/// <param name="task">Where a task names its waiter.</param>
internal sealed class AwaiterLayouts(ClrRuntime runtime, AsyncTypes types, TaskLayout? task)
{
    private const string TaskPrefix = "System.Threading.Tasks.";

    private static readonly string[] Forwarding =
    [
        "System.Threading.Tasks.UnwrapPromise<",
        "System.Threading.Tasks.Task+CancellationPromise<",
        "System.Threading.Tasks.ContinuationTaskFrom",
        "System.Threading.Tasks.ContinuationResultTaskFrom",
        "System.Threading.Tasks.ValueTask+ValueTaskSourceAsTask",
        "System.Threading.Tasks.ValueTask<", // ValueTask<T>.ValueTaskSourceAsTask, the only class in it
    ];

    // .NET 11 (dotnet/runtime 005d4975): the head of a chain that awaits a task, and what its profiler wraps around boxes.
    private static readonly (string Type, string Link)[] OfNet11 =
    [
        ("System.Runtime.CompilerServices.RuntimeAsyncTaskContinuation", "RuntimeAsyncTask"),
        ("System.Runtime.CompilerServices.AsyncStateMachineDispatcher", "_inner"),
    ];

    private readonly Dictionary<ulong, AwaiterLayout> _known = [];

    // Millions in a row are delegates and what they resume, in turn.
    private (ulong MethodTable, AwaiterLayout Layout) _last, _lastButOne;

    public AwaiterLayout Of(ulong methodTable)
    {
        if (methodTable == _last.MethodTable)
            return _last.Layout;
        (_last, _lastButOne) = (_lastButOne, _last);
        if (methodTable != _last.MethodTable)
            _last = (methodTable, Known(methodTable));
        return _last.Layout;
    }

    private AwaiterLayout Known(ulong methodTable)
    {
        if (!_known.TryGetValue(methodTable, out AwaiterLayout layout))
            _known[methodTable] = layout = TypeLookup.Of(runtime, methodTable) is { } type ? Find(type) : default;
        return layout;
    }

    private AwaiterLayout Find(ClrType type)
    {
        string name = type.Name ?? "";
        foreach ((string known, string link) in OfNet11)
        {
            if (name == known)
                return Linked(AwaiterShape.Wrapper, type, link);
        }
        switch (types.Classify(type))
        {
            case AsyncTypeKind.ChainTask or AsyncTypeKind.StateMachineBox or AsyncTypeKind.PooledBox or AsyncTypeKind.CustomBox:
                return new(AwaiterShape.Node);
            case AsyncTypeKind.AllCombinator or AsyncTypeKind.AnyCombinator:
                return new(AwaiterShape.OtherTask);
            case AsyncTypeKind.Task when task is not null:
                return new(Forwarding.Any(p => Starts(name, p)) ? AwaiterShape.ForwardingPromise : AwaiterShape.OtherTask, task.ContinuationObject);
        }
        if (Starts(name, FSharpAsyncLayout.Contents))
            return new(AwaiterShape.Node);
        if (Starts(name, "System.Collections.Generic.List<"))
            return Linked(AwaiterShape.List, type, "_items", "_size");
        if (DelegateLayout.TargetOf(type, runtime.DataTarget.DataReader.PointerSize) is > 0 and var target)
            return new(AwaiterShape.Delegate, target);
        if (name == "System.Runtime.CompilerServices.AsyncMethodBuilderCore+ContinuationWrapper")
            return Linked(AwaiterShape.Wrapper, type, "_continuation");
        if (name is CountdownTaskLayout.TypeName or AsyncTypes.WhenEach)
            return new(AwaiterShape.OtherTask);
        if (name == "System.Threading.Tasks.ContinueWithTaskContinuation")
            return Linked(AwaiterShape.Wrapper, type, "m_task");
        return Starts(name, TaskPrefix) ? Linked(AwaiterShape.Wrapper, type, "m_action") : default;
    }

    private static bool Starts(string name, string prefix) => name.StartsWith(prefix, StringComparison.Ordinal);

    private AwaiterLayout Linked(AwaiterShape shape, ClrType type, params ReadOnlySpan<string> fields)
        => FieldOffsets.Find(type, runtime.DataTarget.DataReader.PointerSize, fields) is { } offsets
            ? new(shape, offsets[fields[0]], fields.Length > 1 ? offsets[fields[1]] : 0)
            : default;
}
