using System.Runtime.InteropServices;

namespace Async2.Analysis.Nodes;

/// <summary>What a pending async operation with frames of its own is made of.</summary>
internal enum NodeKind
{
    /// <summary>A task of runtime-async with its chain of continuations.</summary>
    Chain,

    /// <summary>A chain of tasklets: the task that its owner completes, or the owner, or the outermost tasklet of one without.</summary>
    Tasklets,

    /// <summary>A box of a classic state machine: one frame.</summary>
    Machine,

    /// <summary>The same of a pooling builder, which is not a task.</summary>
    Pooled,

    /// <summary>One frame of an async of F#: the context that goes on there, or the task that its outermost one completes; or a dynamic <c>task { }</c>.</summary>
    FSharpAsync,
}

/// <summary>One pending async operation of the heap, as a row: no object for each of a million.</summary>
/// <param name="Kind">What it is made of.</param>
/// <param name="Address">The task or box.</param>
/// <param name="MethodTable">
/// Of the object at <paramref name="Address"/>; of an async of F# that of the closure that goes on there; of a chain of tasklets its owner.
/// </param>
/// <param name="Body">
/// The innermost continuation at the last suspension, the task's <c>m_stateObject</c>; or the innermost tasklet. Else the state
/// machine: the first byte of the struct, or the object. Of an async of F# what it waits for.
/// </param>
/// <param name="Awaiter">Who waits for it, the content of <c>m_continuationObject</c> or of the value task source's field.</param>
/// <param name="State">State of the state machine, of a thunk too: -1 while it runs, from 0 the await it is suspended at. Of tasklets a TaskletState. Of an async of F# 1 where the address is a task.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct NodeRow(NodeKind Kind, ulong Address, ulong MethodTable, ulong Body, ulong Awaiter, int State = 0)
{
    // State of a chain without a machine; none that a compiler makes.
    private const int NoThunk = int.MinValue + 1;

    /// <summary>It has frames in the columns, from <see cref="Body"/> on.</summary>
    public bool IsChain => Kind is NodeKind.Chain or NodeKind.Tasklets;

    /// <summary>Object that owns a chain of tasklets; 0 when there is none. It stands where other kinds have a method table.</summary>
    public ulong Owner => Kind == NodeKind.Tasklets ? MethodTable : 0;

    /// <summary>A chain of tasklets.</summary>
    public static NodeRow Tasklets(ulong task, in TaskletChain chain, ulong awaiter)
        => new(NodeKind.Tasklets, task, chain.Owner, chain.Innermost, awaiter, (int)chain.State);

    /// <summary>A chain whose task is the box of the async2 experiment's thunk, which waits in the chain's place.</summary>
    public bool IsThunk => Kind == NodeKind.Chain && State != NoThunk;

    /// <summary>A runtime-async chain.</summary>
    /// <param name="task">The task.</param>
    /// <param name="methodTable">Its type.</param>
    /// <param name="head">The innermost continuation; 0 when there is none.</param>
    /// <param name="awaiter">Who waits for it.</param>
    public static NodeRow Chain(ulong task, ulong methodTable, ulong head, ulong awaiter) => new(NodeKind.Chain, task, methodTable, head, awaiter, NoThunk);

    /// <summary>The same whose task is the box of a thunk.</summary>
    /// <param name="task">The task.</param>
    /// <param name="methodTable">Its type.</param>
    /// <param name="head">The innermost continuation; 0 when there is none.</param>
    /// <param name="awaiter">Who waits for it.</param>
    /// <param name="state">State of the thunk's machine.</param>
    public static NodeRow ThunkChain(ulong task, ulong methodTable, ulong head, ulong awaiter, int state) => new(NodeKind.Chain, task, methodTable, head, awaiter, state);
}

/// <summary>A pending task without frames: what it stands for is elsewhere.</summary>
/// <param name="Address">The task.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>.</param>
/// <param name="NeedsAll">It completes when all that it waits for has completed: WhenAll.</param>
internal readonly record struct PromiseRow(ulong Address, ulong Awaiter, bool NeedsAll);
