namespace Async2.Analysis.Metadata.Awaits;

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

    /// <summary>The awaited method, when it and the await are one call in native code; null for the other forms.</summary>
    public CalleeRef? Callee { get; init; }

    /// <summary>Offset of the call of <see cref="Callee"/>.</summary>
    public int? CalleeOffset { get; init; }

    /// <summary>
    /// A hint where the awaited value comes from when there is no callee, or when the callee only converts it (AsTask): the call
    /// that probably made it. Null if unknown.
    /// </summary>
    public CalleeRef? Origin { get; init; }

    /// <summary>Offset of the call of <see cref="Origin"/>.</summary>
    public int? OriginOffset { get; init; }

    /// <summary>
    /// Offset of the call that exists in native code, which is what debug information of unoptimised code has (seen in 10.0.12; the
    /// fused Await has no entry, ConfigureAwait neither): of the callee when fused, else of
    /// the helper.
    /// </summary>
    public int CallILOffset => CalleeOffset ?? ILOffset;

    /// <summary>C# form of what is awaited (<c>Task&lt;int&gt;</c>), or for <see cref="AwaitForm.Awaiter"/> of the awaiter; null if unknown.</summary>
    public string? AwaitedType { get; init; }

    /// <summary>Where that was stored which the await disposes; null if it disposes nothing.</summary>
    public int? OpenedOffset { get; init; }

    /// <summary>The method returns right behind it: optimised code may jump to what is awaited, and leaves no frame then.</summary>
    public bool IsTail { get; init; }

    public bool IsFused => Form is AwaitForm.Call or AwaitForm.ConfiguredCall;
}
