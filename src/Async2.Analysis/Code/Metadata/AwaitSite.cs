namespace Async2.Analysis.Code.Metadata;

/// <summary>What stands before an await in IL, which decides what native code calls.</summary>
internal enum AwaitForm
{
    /// <summary><c>call X; call Await</c>: the JIT makes one call of X's async variant of it.</summary>
    Call,

    /// <summary><c>call X; ldc 0|1; call ConfigureAwait; call Await</c>: fused as well.</summary>
    ConfiguredCall,

    /// <summary>A task that was there before (variable, field, both arms of <c>?:</c>): native code calls <c>AsyncHelpers.Await</c>.</summary>
    Value,

    /// <summary>A custom awaiter: native code calls <c>AsyncHelpers.AwaitAwaiter</c> or <c>UnsafeAwaitAwaiter</c>.</summary>
    Awaiter,
}

/// <summary>One await in the IL of a runtime-async method.</summary>
internal sealed record AwaitSite
{
    /// <summary>Position among the awaits of the method, in IL order, from 0.</summary>
    public required int Ordinal { get; init; }

    /// <summary>Offset of the call of <c>AsyncHelpers.Await*</c>.</summary>
    public required int ILOffset { get; init; }

    public required AwaitForm Form { get; init; }

    /// <summary>The helper that is called.</summary>
    public required CalleeRef Helper { get; init; }

    /// <summary>
    /// Offset of the call of <see cref="Callee"/>, or of <see cref="Origin"/> when there is no callee. Debug information may point
    /// to any offset from here to <see cref="ILOffset"/>.
    /// </summary>
    public int? CalleeOffset { get; init; }

    /// <summary>The awaited method, when it and the await are one call in native code; null for the other forms.</summary>
    public CalleeRef? Callee { get; init; }

    /// <summary>A hint where the awaited value comes from when there is no callee: the nearest call before; null if unknown.</summary>
    public CalleeRef? Origin { get; init; }

    /// <summary>C# form of what is awaited (<c>Task&lt;int&gt;</c>), or for <see cref="AwaitForm.Awaiter"/> of the awaiter; null if unknown.</summary>
    public string? AwaitedType { get; init; }

    public bool IsFused => Form is AwaitForm.Call or AwaitForm.ConfiguredCall;
}
