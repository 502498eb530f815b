using System.Runtime.InteropServices;
using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>
/// What a pending async operation with frames of its own is made of. Chains have frames in the columns; what is particular to a kind of
/// them is said by its family (<c>Families/</c>).
/// </summary>
internal enum NodeKind
{
    /// <summary>A task of runtime-async with its chain of continuations.</summary>
    Chain,

    /// <summary>A chain that another object owns: the task that its owner completes, or the owner, or the outermost frame of one without.</summary>
    OwnedChain,

    /// <summary>A chain whose task is the box of a state machine that waits in its place.</summary>
    BoxedChain,

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
/// Of the object at <paramref name="Address"/>; of an async of F# that of the closure that goes on there; of an owned chain its owner, 0 for none.
/// </param>
/// <param name="Body">
/// The innermost frame at the last suspension; 0 if there is none. Of a state machine the machine: the first byte of the struct, or the object. Of an async of F# what it waits for.
/// </param>
/// <param name="Awaiter">Who waits for it, the content of <c>m_continuationObject</c> or of the value task source's field.</param>
/// <param name="State">
/// State of the state machine, of that in the box of a chain too: -1 while it runs, from 0 the await it is suspended at. Of an owned chain an
/// <see cref="OperationState"/>. Of an async of F# 1 where the address is a task.
/// </param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct NodeRow(NodeKind Kind, ulong Address, ulong MethodTable, ulong Body, ulong Awaiter, int State = 0) : IAddressedRow
{
    /// <summary>State of a machine that executes.</summary>
    public const int RunningMachine = -1;

    /// <summary>State of a machine whose state cannot be read: it has a frame without a line.</summary>
    public const int UnknownMachine = int.MinValue;

    /// <summary>It has frames in the columns, from <see cref="Body"/> on.</summary>
    public bool IsChain => Kind <= NodeKind.BoxedChain;

    /// <summary>A chain that another object owns.</summary>
    /// <param name="task">The task that the owner completes, or what stands for it.</param>
    /// <param name="chain">The chain.</param>
    /// <param name="awaiter">Who waits for it.</param>
    public static NodeRow Owned(ulong task, in OwnedChain chain, ulong awaiter)
        => new(NodeKind.OwnedChain, task, chain.Owner, chain.Innermost, awaiter, (int)chain.State);

    /// <summary>A runtime-async chain.</summary>
    /// <param name="task">The task.</param>
    /// <param name="methodTable">Its type.</param>
    /// <param name="head">The innermost continuation; 0 if there is none.</param>
    /// <param name="awaiter">Who waits for it.</param>
    public static NodeRow Chain(ulong task, ulong methodTable, ulong head, ulong awaiter) => new(NodeKind.Chain, task, methodTable, head, awaiter);
}

/// <summary>A pending task without frames: what it stands for is elsewhere.</summary>
/// <param name="Address">The task.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>.</param>
/// <param name="NeedsAll">It completes when all that it waits for has completed: WhenAll.</param>
internal readonly record struct PromiseRow(ulong Address, ulong Awaiter, bool NeedsAll) : IAddressedRow;

/// <summary>A row that is found by the address of its object.</summary>
internal interface IAddressedRow
{
    ulong Address { get; }
}

/// <summary>A task that has not completed, or a pooled box, as the walk over the heap finds it.</summary>
/// <param name="Address">The object.</param>
/// <param name="MethodTable">Of the object.</param>
/// <param name="StateObject">Its <c>m_stateObject</c>; 0 in a pooled box.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>; 0 in a pooled box.</param>
/// <param name="Kind">What it is.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct PendingObject(ulong Address, ulong MethodTable, ulong StateObject, ulong Awaiter, AsyncTypeKind Kind);
