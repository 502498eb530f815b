using Async2.Analysis.Code;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Threads;
using Async2.Analysis.Nodes.Waits;

namespace Async2.Analysis.Stacks;

/// <summary>What the innermost end of a stack is doing.</summary>
/// <param name="State">Awaiting, scheduled, active or blocked.</param>
/// <param name="WaitingOn">What it waits for; null when it waits for nothing.</param>
/// <param name="IsProven">The awaited object names this operation as its waiter.</param>
internal readonly record struct LeafState(StackState State, WaitingOn? WaitingOn, bool IsProven = false);

/// <summary>Reads the state of operations at their innermost end.</summary>
internal sealed class LeafReader(HeapIndex index, FrameTable table, StackReaders readers)
{
    private readonly Dictionary<int, AwaitedObject?> _awaited = [];

    /// <summary>State of a suspended operation.</summary>
    public LeafState Read(int node)
    {
        NodeRow row = index.Nodes[node];
        AwaitedObject? awaited = AwaitedBy(node);
        StackState state = awaited is { IsCompleted: true } ? StackState.Scheduled : StackState.Awaiting;
        if (row.Kind == NodeKind.Chain)
        {
            return HeadOf(row) is >= 0 and var head
                ? new(state, WaitDescriber.Describe(table[table.IdOf(index.Continuations[head])].Point, awaited), awaited is { PointsBack: true })
                // A chain that is not there to be seen; those who wait for it wait for its task.
                : new(StackState.Awaiting, new WaitingOn(WaitKind.Task, "Task", row.Address));
        }
        return row.State == MachineRows.Running
            ? new(StackState.Active, null)
            : new(state, WaitDescriber.Describe(table[table.IdOf(row)].Machine ?? new MachinePoint(), awaited));
    }

    /// <summary>State of a thread that waits for no operation.</summary>
    public LeafState Read(ThreadSegment segment)
    {
        if (segment is { BlockedIn: null, BlockedOn: 0 })
            return new(StackState.Active, null);
        WaitFacts? facts = segment is { BlockedOn: 0, BlockingCall.Facts: { } call }
            ? readers.DescribeThreadWait(call.DeclaringType.FullName, call.RawName, segment.Roots, segment.ThreadId)
            : null;
        return new(StackState.Blocked, WaitDescriber.Describe(segment, facts));
    }

    /// <summary>Address of what an operation waits for; 0 when it cannot be told.</summary>
    public ulong AwaitedAddress(int node) => AwaitedBy(node)?.Address ?? 0;

    private AwaitedObject? AwaitedBy(int node)
    {
        if (!_awaited.TryGetValue(node, out AwaitedObject? awaited))
            _awaited[node] = awaited = Find(index.Nodes[node]);
        return awaited;
    }

    private AwaitedObject? Find(NodeRow row)
    {
        if (row.Kind != NodeKind.Chain)
            return row.State < 0 ? null : readers.FindMachineAwaited(row, table[table.IdOf(row)].Machine?.Await?.AwaiterField);
        if (HeadOf(row) is not (>= 0 and var head))
            return null;
        ContinuationRow leaf = index.Continuations[head];
        return readers.FindAwaited(leaf.GCData, row.Address, table[table.IdOf(leaf)].Origin == FrameOrigin.Runtime);
    }

    // The final continuation of a chain only holds its result.
    private int HeadOf(NodeRow row) => index.FindContinuation(row.Body) is >= 0 and var head && index.Continuations[head].Resume != 0 ? head : -1;
}
