using Async2.Analysis.Awaiters;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Families.JitVariant;

/// <summary>
/// The JIT variant of the async2 experiment: chains of .NET 10's continuations whose task is the box of the runtime's thunk, an async
/// method that waits in the chain's place.
/// </summary>
internal sealed class JitVariantFamily : IAsyncFamily
{
    /// <inheritdoc/>
    public string? Name => null;

    /// <inheritdoc/>
    public NodeKind Kind => NodeKind.BoxedChain;

    /// <inheritdoc/>
    public AsyncNodeKind ModelKind => AsyncNodeKind.RuntimeAsync;

    /// <inheritdoc/>
    public bool OwnerAwaits => true;

    /// <inheritdoc/>
    public OperationState StateOf(in NodeRow row) => row.State == NodeRow.RunningMachine ? OperationState.Running : OperationState.Suspended;

    /// <inheritdoc/>
    public bool CanBeResumed(in NodeRow row) => false;

    /// <inheritdoc/>
    public AwaitedObject? AwaitedBy(in NodeRow row, AwaitedObjectReader awaited, RuntimeLayout layout) => row.State < 0 ? null : awaited.OfBox(row);

    /// <inheritdoc/>
    public IFamilyReader Open(FamilyContext context) => new Reader(context);

    /// <inheritdoc/>
    public IReadOnlyList<ThreadSegment> Join(HeapIndex index, IReadOnlyList<ThreadSegment> segments) => ThunkDispatch.Join(index, segments);

    private sealed class Reader(FamilyContext context) : IFamilyReader
    {
        private readonly ThunkStateMachines _thunks = new(context.Facts);

        public NodeRow? RowOf(ulong address, ulong methodTable, in BoxedStateMachine machine, ulong awaiter, int state)
            => _thunks.HeadIn(machine, methodTable, context.Memory.PointerSize) is >= 0 and var head
                ? new NodeRow(NodeKind.BoxedChain, address, methodTable, context.Memory.TryReadPointer(machine.Address + (ulong)head, out ulong chain) ? chain : 0, awaiter, state)
                : null;
    }
}
