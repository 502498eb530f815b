using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>What is known about the methods that an await compiles to.</summary>
internal static class AsyncHelper
{
    /// <summary>.NET 10: Await (10 overloads), AwaitAwaiter, UnsafeAwaitAwaiter.</summary>
    private const string Helpers = "System.Runtime.CompilerServices.AsyncHelpers";

    public static bool IsAwait(CalleeRef callee) =>
        callee.Type.Is(Helpers) && (callee.Name == "Await" || TakesAwaiter(callee));

    public static bool TakesAwaiter(CalleeRef helper) => helper.Name is "AwaitAwaiter" or "UnsafeAwaitAwaiter";

    /// <summary>Await of ConfiguredTaskAwaitable or ConfiguredValueTaskAwaitable, generic or not.</summary>
    public static bool TakesConfigured(CalleeRef helper) => helper.Parameter?.Type is { } type
        && type.FullName.StartsWith("System.Runtime.CompilerServices.Configured", StringComparison.Ordinal);

    /// <summary>ConfigureAwait of a task, either overload.</summary>
    public static bool IsConfigureAwait(CalleeRef callee) =>
        callee is { Name: "ConfigureAwait", ParameterCount: 1 } && TaskTypes.IsTask(callee.Type);

    /// <summary><c>valueTask.AsTask()</c> and the like: what is waited for is what made the task before it.</summary>
    public static bool IsConversion(CalleeRef callee) =>
        callee is { HasThis: true, ParameterCount: 0, Name: "AsTask" or "Preserve" } && TaskTypes.IsTask(callee.Type);

    /// <summary>
    /// Methods that the runtime makes an async variant of. A delegate type of another module is only known for what it is after
    /// resolving it, so a callee with <see cref="CallDispatch.Unresolved"/> may still be one.
    /// </summary>
    public static bool HasAsyncVariant(CalleeRef callee) =>
        TaskTypes.IsTask(callee.Return.Type) && callee.Dispatch is not (CallDispatch.Delegate or CallDispatch.Constructor);
}
