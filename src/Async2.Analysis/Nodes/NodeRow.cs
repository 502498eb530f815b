using System.Runtime.InteropServices;

namespace Async2.Analysis.Nodes;

/// <summary>What a pending async operation with frames of its own is made of.</summary>
internal enum NodeKind
{
    /// <summary>A ThunkTask with its chain of continuations.</summary>
    Chain,

    /// <summary>A box of a classic state machine: one frame.</summary>
    Machine,

    /// <summary>The same of a pooling builder, which is no task.</summary>
    Pooled,
}

/// <summary>One pending async operation of the heap, as a row: no object for each of a million.</summary>
/// <param name="Kind">What it is made of.</param>
/// <param name="Address">The task or box.</param>
/// <param name="MethodTable">Of the object at <paramref name="Address"/>.</param>
/// <param name="Body">
/// Chain: its <c>m_stateObject</c>, the innermost continuation at the last suspension. Else the state machine: the first byte of
/// the struct, or the object.
/// </param>
/// <param name="Awaiter">Who waits for it, the content of <c>m_continuationObject</c> or of the value task source's field.</param>
/// <param name="State">State of the state machine: -1 while it runs, from 0 the await it is suspended at.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct NodeRow(NodeKind Kind, ulong Address, ulong MethodTable, ulong Body, ulong Awaiter, int State = 0)
{
    /// <summary>A runtime-async chain.</summary>
    public static NodeRow Chain(ulong task, ulong head, ulong awaiter) => new(NodeKind.Chain, task, 0, head, awaiter);
}

/// <summary>A pending task without frames: what it stands for is elsewhere.</summary>
/// <param name="Address">The task.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>.</param>
/// <param name="NeedsAll">It completes when all that it waits for has completed: WhenAll.</param>
internal readonly record struct PromiseRow(ulong Address, ulong Awaiter, bool NeedsAll);
