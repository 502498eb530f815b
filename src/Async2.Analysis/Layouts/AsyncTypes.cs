using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What a heap object is to async code.</summary>
internal enum AsyncTypeKind
{
    /// <summary>Nothing that is indexed.</summary>
    Other,

    /// <summary>The runtime cannot name the type: the metadata of its module is not in the target's memory.</summary>
    Nameless,

    /// <summary>A suspended runtime-async method.</summary>
    Continuation,

    /// <summary>The task of a runtime-async chain.</summary>
    ThunkTask,

    /// <summary>A box of a compiler-made state machine, which is a task.</summary>
    StateMachineBox,

    /// <summary>A box of a compiler-made state machine that is reused and is no task: PoolingAsyncValueTaskMethodBuilder's.</summary>
    PooledBox,

    /// <summary>A task that waits for all of several others: WhenAll.</summary>
    AllCombinator,

    /// <summary>A task that waits for any of several others: WhenAny.</summary>
    AnyCombinator,

    /// <summary>Any other task.</summary>
    Task,
}

/// <summary>Names of the runtime's async types (System.Private.CoreLib 10.0.12); asked once for each method table.</summary>
internal static class AsyncTypes
{
    // AsyncHelpers.ThunkTask : Task and AsyncHelpers.ThunkTask<T> : Task<T>.
    private const string ThunkTask = "System.Runtime.CompilerServices.AsyncHelpers+ThunkTask";

    /// <summary>What flows with a method: the JIT saves it with the method's variables.</summary>
    public const string ExecutionContext = "System.Threading.ExecutionContext";

    // AsyncTaskMethodBuilder<T>.AsyncStateMachineBox<S>, and DebugFinalizable... of it; also of async void and of iterators.
    private const string Builder = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<";
    private const string StateMachineBox = "AsyncStateMachineBox";

    // PoolingAsyncValueTaskMethodBuilder<T>.StateMachineBox<S>, not its SyncSuccess... sentinel.
    private const string PoolingBuilder = "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder<";
    private const string PooledBox = "+StateMachineBox<";

    private static readonly (string Prefix, AsyncTypeKind Kind)[] Combinators =
    [
        ("System.Threading.Tasks.Task+WhenAllPromise", AsyncTypeKind.AllCombinator),
        ("System.Threading.Tasks.TaskFactory+CompleteOnCountdownPromise", AsyncTypeKind.AllCombinator), // ContinueWhenAll
        ("System.Threading.Tasks.Task+TwoTaskWhenAnyPromise<", AsyncTypeKind.AnyCombinator),
        ("System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise<", AsyncTypeKind.AnyCombinator), // of more than two
    ];

    public static AsyncTypeKind Classify(ClrType type)
    {
        string? name = type.Name;
        if (name is null)
            return AsyncTypeKind.Nameless;
        if (name == ContinuationLayout.TypeName)
            return AsyncTypeKind.Continuation;
        if (IsGenericOrSelf(name, ThunkTask))
            return AsyncTypeKind.ThunkTask;
        if (Starts(name, Builder) && name.Contains(StateMachineBox, StringComparison.Ordinal))
            return AsyncTypeKind.StateMachineBox;
        if (Starts(name, PoolingBuilder))
            return name.Contains(PooledBox, StringComparison.Ordinal) && type.GetFieldByName(BoxLayout.MachineField) is not null ? AsyncTypeKind.PooledBox : AsyncTypeKind.Other;
        foreach ((string prefix, AsyncTypeKind kind) in Combinators)
        {
            if (Starts(name, prefix))
                return kind;
        }
        return BaseTypes.Find(type, TaskLayout.TypeName) is not null ? AsyncTypeKind.Task : AsyncTypeKind.Other;
    }

    /// <summary>The type stands for the task that an async method returned; its first type argument is the result's type.</summary>
    public static bool IsOfAsyncMethod(string typeName)
        => IsGenericOrSelf(typeName, ThunkTask) || Starts(typeName, PoolingBuilder) || (Starts(typeName, Builder) && typeName.Contains(StateMachineBox, StringComparison.Ordinal));

    private static bool Starts(string name, string prefix) => name.StartsWith(prefix, StringComparison.Ordinal);

    private static bool IsGenericOrSelf(string name, string plain)
        => Starts(name, plain) && (name.Length == plain.Length || name[plain.Length] is '<' or '`');
}
