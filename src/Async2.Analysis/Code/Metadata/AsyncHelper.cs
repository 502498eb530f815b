namespace Async2.Analysis.Code.Metadata;

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

    /// <summary>The overload with options is an ordinary method to the JIT.</summary>
    public static bool IsConfigureAwait(CalleeRef callee) =>
        callee is { Name: "ConfigureAwait", ParameterCount: 1 } && callee.Type.FullName is
            "System.Threading.Tasks.Task" or "System.Threading.Tasks.Task`1"
            or "System.Threading.Tasks.ValueTask" or "System.Threading.Tasks.ValueTask`1";
}
