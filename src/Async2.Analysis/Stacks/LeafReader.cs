using Async2.Analysis.Awaiters;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>What the innermost end of a stack is doing.</summary>
/// <param name="State">Awaiting, scheduled, active or blocked.</param>
/// <param name="WaitingOn">What it waits for, perhaps with the address of what another one like it waits for; null when it waits for nothing.</param>
/// <param name="Address">Address of what it waits for; 0 when not known.</param>
/// <param name="IsProven">The awaited object names this operation as its waiter.</param>
internal readonly record struct LeafState(StackState State, WaitingOn? WaitingOn, ulong Address = 0, bool IsProven = false);

/// <summary>Reads the state of operations at their innermost end.</summary>
internal sealed class LeafReader
{
    // A chain of .NET 11 whose task leads nowhere, and which no thread is known to execute.
    private const string InTransition = "in transition";

    private readonly HeapIndex _index;
    private readonly FrameTable _table;
    private readonly ChainReader _chains;
    private readonly StackReaders _readers;
    private readonly ResumptionText _resumptions;
    private readonly AwaitedColumn _awaited;
    private readonly Dictionary<(int Frame, int AwaitedType), WaitingOn> _waits = [];
    private readonly Dictionary<ThreadSegment, WaitFacts?> _threads = new(ReferenceEqualityComparer.Instance);

    /// <param name="index">The operations.</param>
    /// <param name="table">Their frames.</param>
    /// <param name="chains">Their chains.</param>
    /// <param name="readers">Answer for the target.</param>
    public LeafReader(HeapIndex index, FrameTable table, ChainReader chains, StackReaders readers)
    {
        _index = index;
        _table = table;
        _chains = chains;
        _readers = readers;
        _awaited = new AwaitedColumn(index.Nodes.Length);
        _resumptions = new ResumptionText(readers, Read);
    }

    /// <summary>State of a suspended operation.</summary>
    public LeafState Read(int node)
    {
        ref readonly NodeRow row = ref _index.Nodes[node];
        AwaitedObject? awaited = AwaitedBy(node);
        StackState state = awaited is { IsCompleted: true } ? StackState.Scheduled : StackState.Awaiting;
        if (row.Kind == NodeKind.Tasklets && row.State != (int)TaskletState.Suspended)
            return OfTasklets((TaskletState)row.State);
        if (row is { IsThunk: true, State: StateMachineRows.Running })
            return new(StackState.Active, _resumptions.Running);
        if (CanBeResumed(row) && _resumptions.Of(row.Address, awaited) is { } resumed)
            return new(resumed.State, resumed.WaitingOn, awaited?.Address ?? 0);
        if (row.IsChain)
        {
            return _chains.HeadOf(row) is >= 0 and var head
                ? Waiting(state, node, _table.IdOf(LeafOf(head)), awaited)
                // A chain that is not there to be seen; those who wait for it wait for its task.
                : new(StackState.Awaiting, new WaitingOn(WaitKind.Task, "Task") { Detail = row.Body == 0 ? InTransition : null }, row.Address);
        }
        return row.State == StateMachineRows.Running ? new(StackState.Active, _resumptions.Running) : Waiting(state, node, _table.IdOf(row), awaited) with { IsProven = false };
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
        if (!segment.IsBlocked)
            return new(StackState.Active, null);
        WaitingOn wait = WaitDescriber.Describe(segment, FactsOf(segment));
        return new(StackState.Blocked, wait, wait.Address ?? 0);
    }

    /// <summary>Where an operation goes on whose awaited task has completed; null when it has not, or nobody knows.</summary>
    public Resumption? ResumptionOf(int node) => CanBeResumed(_index.Nodes[node]) ? _resumptions.Find(_index.Nodes[node].Address, AwaitedBy(node)) : null;

    // What is suspended in a way that others resume.
    private static bool CanBeResumed(in NodeRow row) => row.Kind == NodeKind.Chain ? !row.IsThunk : row.Kind != NodeKind.Tasklets && row.State >= 0;

    /// <summary>Why a thread does not go on; null when it runs, or nothing is known.</summary>
    public WaitFacts? FactsOf(ThreadSegment segment)
    {
        if (!_threads.TryGetValue(segment, out WaitFacts? facts))
            _threads[segment] = facts = !segment.IsBlocked ? null : _readers.DescribeThreadWait(segment);
        return facts;
    }

    /// <summary>Address of what an operation waits for; 0 when it cannot be told.</summary>
    public ulong AwaitedAddress(int node) => AwaitedBy(node)?.Address ?? 0;

    // In .NET 11 the runtime's own continuation that waits says nothing of the code that awaits; the one it was made for does.
    // And the helper that waits for an awaiter of .NET 10 says nothing of whose awaiter it is.
    private int LeafOf(int head)
        => _table[_table.IdOf(head)].Point is { Kind: SiteKind.ResumeInfo, IsHidden: true } or { Method: { Kind: AsyncMethodKind.Helper, Facts.RawName: "AwaitAwaiter" or "UnsafeAwaitAwaiter" } }
            && _index.Frames.Next(head) is >= 0 and var next && !_index.Frames.IsFinal(next) ? next : head;

    // The words depend on the place and on the type of what is awaited; a million frames wait in a few words.
    private LeafState Waiting(StackState state, int node, int frame, AwaitedObject? awaited)
    {
        (int Frame, int AwaitedType) key = (frame, awaited is null ? -1 : _awaited.TypeOf(node));
        if (!_waits.TryGetValue(key, out WaitingOn? wait))
        {
            FrameEntry entry = _table[frame];
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
            _awaited.Set(node, Find(_index.Nodes[node]));
        return _awaited.Of(node);
    }

    private AwaitedObject? Find(in NodeRow row)
    {
        if (row.Kind == NodeKind.Tasklets)
            return row.State == (int)TaskletState.Suspended ? _readers.FindTaskletAwaited(row) : null;
        if (row.Kind != NodeKind.Chain)
            return row.State < 0 ? null : _readers.FindMachineAwaited(row, _table[_table.IdOf(row)].Machine?.Await?.AwaiterField);
        if (row.IsThunk)
            return _readers.FindThunkAwaited(row);
        if (_chains.HeadOf(row) is not (>= 0 and var head))
            return null;
        return _readers.FindAwaited(_index.Frames.SavedOf(head).GCData, row.Address, _table[_table.IdOf(head)].Origin == FrameOrigin.Runtime);
    }
}
