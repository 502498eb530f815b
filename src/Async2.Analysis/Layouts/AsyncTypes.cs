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
}

/// <summary>Names of the runtime's async types; asked once for each method table.</summary>
internal static class AsyncTypes
{
    // System.Private.CoreLib 10.0.12: AsyncHelpers.ThunkTask : Task and AsyncHelpers.ThunkTask<T> : Task<T>.
    private const string ThunkTask = "System.Runtime.CompilerServices.AsyncHelpers+ThunkTask";
    /// <summary>What flows with a method: the JIT saves it with the method's variables.</summary>
    public const string ExecutionContext = "System.Threading.ExecutionContext";

    private const string BuilderPrefix = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<";
    private const string StateMachineBox = "AsyncStateMachineBox";

    public static AsyncTypeKind Classify(ClrType type)
    {
        string? name = type.Name;
        if (name is null)
            return AsyncTypeKind.Nameless;
        if (name == ContinuationLayout.TypeName)
            return AsyncTypeKind.Continuation;
        if (IsGenericOrSelf(name, ThunkTask))
            return AsyncTypeKind.ThunkTask;
        return name.StartsWith(BuilderPrefix, StringComparison.Ordinal) && name.Contains(StateMachineBox, StringComparison.Ordinal)
            ? AsyncTypeKind.StateMachineBox
            : AsyncTypeKind.Other;
    }

    private static bool IsGenericOrSelf(string name, string plain)
        => name.StartsWith(plain, StringComparison.Ordinal) && (name.Length == plain.Length || name[plain.Length] is '<' or '`');
}
