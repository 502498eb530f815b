namespace Async2.Analysis.Metadata.Awaits;

/// <summary>One await of a compiler-made state machine: where its MoveNext stores a state and leaves.</summary>
internal sealed record StateMachineAwait
{
    /// <summary>What it stores, from 0.</summary>
    public required int State { get; init; }

    /// <summary>Position among the awaits of the method, in IL order, from 0.</summary>
    public required int Ordinal { get; init; }

    /// <summary>Offset of the store of the state.</summary>
    public required int ILOffset { get; init; }

    /// <summary>The field that keeps the awaiter, <c>&lt;&gt;u__1</c>; null if unknown.</summary>
    public required string? AwaiterField { get; init; }

    /// <summary>Where that was stored which the await disposes; null if it disposes nothing.</summary>
    public int? OpenedOffset { get; init; }

    /// <summary>The call that probably made what is awaited, looked at through ConfigureAwait; null if unknown.</summary>
    public CalleeRef? Origin { get; init; }
}
