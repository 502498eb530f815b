using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Tasklets;
using Async2.Analysis.Nodes.Threads;
using Async2.Analysis.Nodes.Waits;

namespace Async2.Analysis.Stacks;

/// <summary>What the innermost end of a stack is doing.</summary>
/// <param name="State">Awaiting, scheduled, active or blocked.</param>
/// <param name="WaitingOn">What it waits for, perhaps with the address of what another one like it waits for; null when it waits for nothing.</param>
/// <param name="Address">Address of what it waits for; 0 when not known.</param>
/// <param name="IsProven">The awaited object names this operation as its waiter.</param>
internal readonly record struct LeafState(StackState State, WaitingOn? WaitingOn, ulong Address = 0, bool IsProven = false);

/// <summary>Reads the state of operations at their innermost end.</summary>
internal sealed class LeafReader(HeapIndex index, FrameTable table, ChainReader chains, StackReaders readers)
{
    // A chain of .NET 11 whose task leads nowhere, and which no thread is known to execute.
    private const string InTransition = "in transition";

    private readonly AwaitedColumn _awaited = new(index.Nodes.Length);
    private readonly Dictionary<(int Frame, int AwaitedType), WaitingOn> _waits = [];

    /// <summary>State of a suspended operation.</summary>
    public LeafState Read(int node)
    {
        ref readonly NodeRow row = ref index.Nodes[node];
        AwaitedObject? awaited = AwaitedBy(node);
        StackState state = awaited is { IsCompleted: true } ? StackState.Scheduled : StackState.Awaiting;
        if (row.Kind == NodeKind.Tasklets && row.State != (int)TaskletState.Suspended)
            return OfTasklets((TaskletState)row.State);
        if (row is { IsThunk: true, State: MachineRows.Running })
            return new(StackState.Active, null);
        if (row.IsChain)
        {
            return chains.HeadOf(row) is >= 0 and var head
                ? Waiting(state, node, table.IdOf(LeafOf(head)), awaited)
                // A chain that is not there to be seen; those who wait for it wait for its task.
                : new(StackState.Awaiting, new WaitingOn(WaitKind.Task, "Task") { Detail = row.Body == 0 ? InTransition : null }, row.Address);
        }
        return row.State == MachineRows.Running ? new(StackState.Active, null) : Waiting(state, node, table.IdOf(row), awaited) with { IsProven = false };
    }

    private static LeafState OfTasklets(TaskletState state) => state switch
    {
        TaskletState.Running => new(StackState.Active, null),
        TaskletState.Abandoned => new(StackState.Awaiting, WaitDescriber.Abandoned),
        _ => new(StackState.Awaiting, WaitDescriber.Orphan),
    };

    /// <summary>State of a thread that waits for no operation.</summary>
    public LeafState Read(ThreadSegment segment)
    {
        if (segment is { BlockedIn: null, BlockedOn: 0 })
            return new(StackState.Active, null);
        WaitFacts? facts = segment is { BlockedOn: 0, BlockingCall.Facts: { } call }
            ? readers.DescribeThreadWait(call.DeclaringType.FullName, call.RawName, segment.Roots, segment.ThreadId)
            : null;
        WaitingOn wait = WaitDescriber.Describe(segment, facts);
        return new(StackState.Blocked, wait, wait.Address ?? 0);
    }

    /// <summary>Address of what an operation waits for; 0 when it cannot be told.</summary>
    public ulong AwaitedAddress(int node) => AwaitedBy(node)?.Address ?? 0;

    // In .NET 11 the runtime's own continuation that waits says nothing of the code that awaits; the one it was made for does.
    // And the helper that waits for an awaiter of .NET 10 says nothing of whose awaiter it is.
    private int LeafOf(int head)
        => table[table.IdOf(head)].Point is { Kind: SiteKind.ResumeInfo, IsHidden: true } or { Method: { Kind: AsyncMethodKind.Helper, Facts.RawName: "AwaitAwaiter" or "UnsafeAwaitAwaiter" } }
            && index.Frames.Next(head) is >= 0 and var next && !index.Frames.IsFinal(next) ? next : head;

    // The words depend on the place and on the type of what is awaited; a million frames wait in a few words.
    private LeafState Waiting(StackState state, int node, int frame, AwaitedObject? awaited)
    {
        (int Frame, int AwaitedType) key = (frame, awaited is null ? -1 : _awaited.TypeOf(node));
        if (!_waits.TryGetValue(key, out WaitingOn? wait))
        {
            FrameEntry entry = table[frame];
            _waits[key] = wait = entry.Machine is { } machine ? WaitDescriber.Describe(machine, awaited) : WaitDescriber.Describe(entry.Point, awaited);
        }
        // It waits for a thread only.
        if (ReferenceEquals(wait, WaitDescriber.Yielded))
            state = StackState.Scheduled;
        return new(state, wait, wait.Address is null || awaited is null ? 0 : awaited.Value.Address, awaited is { PointsBack: true });
    }

    private AwaitedObject? AwaitedBy(int node)
    {
        if (!_awaited.IsKnown(node))
            _awaited.Set(node, Find(index.Nodes[node]));
        return _awaited.Of(node);
    }

    private AwaitedObject? Find(in NodeRow row)
    {
        if (row.Kind == NodeKind.Tasklets)
            return row.State == (int)TaskletState.Suspended ? readers.FindTaskletAwaited(row) : null;
        if (row.Kind != NodeKind.Chain)
            return row.State < 0 ? null : readers.FindMachineAwaited(row, table[table.IdOf(row)].Machine?.Await?.AwaiterField);
        if (row.IsThunk)
            return readers.FindThunkAwaited(row);
        if (chains.HeadOf(row) is not (>= 0 and var head))
            return null;
        return readers.FindAwaited(index.Frames.SavedOf(head).GCData, row.Address, table[table.IdOf(head)].Origin == FrameOrigin.Runtime);
    }
}
