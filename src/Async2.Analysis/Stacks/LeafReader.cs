using Async2.Analysis.Awaiters;
using Async2.Analysis.Families;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>What the innermost end of a stack is doing.</summary>
/// <param name="State">Awaiting, scheduled, active or blocked.</param>
/// <param name="Wait">What it waits for; null if it waits for nothing.</param>
/// <param name="Address">Address of what it waits for; 0 when not known.</param>
/// <param name="IsProven">The awaited object names this operation as its waiter.</param>
internal readonly record struct LeafState(StackState State, LeafWait? Wait, ulong Address = 0, bool IsProven = false)
{
    /// <summary>The same in words; the address is not in it.</summary>
    public WaitingOn? WaitingOn => Wait?.View;
}

/// <summary>What the innermost end of a stack waits for, as its code tells it; a million frames share a few.</summary>
/// <param name="Reason">The call that is awaited; of a thread that blocks also what its object says.</param>
/// <param name="Type">C# name of the awaited object's type.</param>
/// <param name="IsObject">The awaited object is known, and says more.</param>
internal sealed record LeafWait(WaitReason Reason, string? Type = null, bool IsObject = false)
{
    /// <summary>In words.</summary>
    public WaitingOn View { get; } = WaitFormatter.ViewOf(Reason, type: Type);
}

/// <summary>Reads the state of operations at their innermost end.</summary>
internal sealed class LeafReader
{
    // A chain of .NET 11 whose task has no continuation, and which no known thread executes.
    private static readonly LeafWait InTransition = new(new(WaitKind.Task, "Task") { Shared = [new(WaitFactKey.InTransition)] }, IsObject: true);
    private static readonly LeafWait Unseen = new(new(WaitKind.Task, "Task"), IsObject: true);

    // So many operations before its turn the innermost frame of one is announced, and what that saved.
    private const int Later = 16, Soon = 8;
    private const int CacheLine = 64;

    private readonly HeapIndex _index;
    private readonly FrameTable _table;
    private readonly ChainReader _chains;
    private readonly IStackSource _source;
    private readonly Resumptions _resumptions;
    private readonly AwaitedColumn _awaited;
    private readonly Dictionary<(int Frame, int AwaitedType), LeafWait> _waits = [];
    private readonly List<bool> _saysNothing = [];
    private ((int Frame, int AwaitedType) Key, LeafWait? Wait) _lastWait;

    /// <param name="input">The operations.</param>
    /// <param name="table">Their frames.</param>
    /// <param name="chains">Their chains.</param>
    /// <param name="source">Answers for the target.</param>
    public LeafReader(StackInput input, FrameTable table, ChainReader chains, IStackSource source)
    {
        _index = input.Index;
        _table = table;
        _chains = chains;
        _source = source;
        _awaited = new AwaitedColumn(input.Index.Nodes.Length);
        _resumptions = new Resumptions(input, source, Read);
    }

    /// <summary>State of a suspended operation.</summary>
    public LeafState Read(int node)
    {
        ref readonly NodeRow row = ref _index.Nodes[node];
        IAsyncFamily family = AsyncFamilies.Of(row);
        if (family.StateOf(row) is not OperationState.Suspended and var doing)
            return NotSuspended(doing);
        AwaitedObject? awaited = AwaitedBy(node);
        StackState state = awaited is { IsCompleted: true } ? StackState.Scheduled : StackState.Awaiting;
        if (family.CanBeResumed(row) && _resumptions.Of(row.Address, awaited) is { } resumed)
            return resumed with { Address = awaited?.Address ?? 0 };
        if (row.IsChain)
        {
            return _chains.HeadOf(row) is >= 0 and var head
                ? Waiting(state, node, _table.IdOf(LeafOf(head)), awaited)
                // The chain has no frames in memory; its waiters wait for its task.
                : new(StackState.Awaiting, row.Body == 0 ? InTransition : Unseen, row.Address);
        }
        return Waiting(state, node, _table.IdOf(row), awaited) with { IsProven = false };
    }

    private LeafState NotSuspended(OperationState state) => state switch
    {
        OperationState.Running => new(StackState.Active, _resumptions.Running),
        OperationState.Abandoned => new(StackState.Awaiting, WaitDescriber.Abandoned),
        _ => new(StackState.Awaiting, WaitDescriber.Orphan),
    };

    /// <summary>State of a thread that waits for no operation.</summary>
    public LeafState Read(ThreadSegment segment)
    {
        if (!segment.IsBlocked)
            return new(StackState.Active, null);
        WaitReason reason = WaitDescriber.Describe(segment, ReasonOf(segment));
        return new(StackState.Blocked, new(reason), segment.BlockedOn != 0 ? segment.BlockedOn : reason.Resource);
    }

    /// <summary>Where an operation goes on whose awaited task has completed; null if it has not, or nobody knows.</summary>
    public Resumption? ResumptionOf(int node) => AsyncFamilies.Of(_index.Nodes[node]).CanBeResumed(_index.Nodes[node]) ? _resumptions.Find(_index.Nodes[node].Address, AwaitedBy(node)) : null;

    /// <summary>Why a thread does not go on; null if it runs, or nothing is known.</summary>
    public WaitReason? ReasonOf(ThreadSegment segment) => segment.IsBlocked ? _source.ReasonOf(segment) : null;

    /// <summary>Address of what an operation waits for; 0 if it is unknown.</summary>
    public ulong AwaitedAddress(int node) => AwaitedBy(node)?.Address ?? 0;

    /// <summary>Whether an operation awaits a task itself of which it is known that it names the operation as its waiter: mostly read without the task.</summary>
    public bool Awaits(int node, ulong task)
    {
        ref readonly NodeRow row = ref _index.Nodes[node];
        if (_awaited.IsKnown(node) || row.Kind != NodeKind.Chain || AsyncFamilies.Of(row) is not { OwnerAwaits: false } family || family.StateOf(row) != OperationState.Suspended || _chains.HeadOf(row) is not (>= 0 and var head))
            return false;
        Announce(node);
        return _source.ChainAwaits(_index.Frames.SavedOf(head).GCData, row.Address, task);
    }

    /// <summary>The same while it has not happened; 0 otherwise: nothing has to end it any more.</summary>
    public ulong PendingAddress(int node) => AwaitedBy(node) is { IsCompleted: false, Address: var address } ? address : 0;

    // In .NET 11 the innermost continuation is the runtime's own and says nothing about the awaiting code; its caller does.
    // The same is true of the method of .NET 10 that waits for an awaiter.
    private int LeafOf(int head)
        => SaysNothing(_table.IdOf(head)) && _index.Frames.Next(head) is >= 0 and var next && !_index.Frames.IsFinal(next) ? next : head;

    // A million leaves stand at a few places.
    private bool SaysNothing(int frame)
    {
        while (_saysNothing.Count <= frame)
            _saysNothing.Add(_table[_saysNothing.Count].Point is { Kind: SiteKind.ResumeInfo, IsHidden: true } or { Method: { Kind: AsyncMethodKind.Helper, Facts.RawName: "AwaitAwaiter" or "UnsafeAwaitAwaiter" } });
        return _saysNothing[frame];
    }

    // The description depends only on the place and on the awaited type, so a million frames share a few descriptions.
    private LeafState Waiting(StackState state, int node, int frame, AwaitedObject? awaited)
    {
        (int Frame, int AwaitedType) key = (frame, awaited is null ? -1 : _awaited.TypeOf(node));
        if (_lastWait.Wait is not { } wait || _lastWait.Key != key)
            _lastWait = (key, wait = Described(key, awaited));
        // The operation only waits for a thread.
        if (ReferenceEquals(wait, WaitDescriber.Yielded))
            state = StackState.Scheduled;
        return new(state, wait, wait.IsObject && awaited is { } found ? found.Address : 0, awaited is { PointsBack: true });
    }

    private LeafWait Described((int Frame, int AwaitedType) key, AwaitedObject? awaited)
    {
        if (!_waits.TryGetValue(key, out LeafWait? wait))
        {
            FrameEntry entry = _table[key.Frame];
            _waits[key] = wait = entry.Machine is { } machine ? WaitDescriber.Describe(machine, awaited) : WaitDescriber.Describe(entry.Point, awaited);
        }
        return wait;
    }

    private AwaitedObject? AwaitedBy(int node)
    {
        if (!_awaited.IsKnown(node))
            _awaited.Set(node, Find(_index.Nodes[node], node));
        return _awaited.Of(node);
    }

    private AwaitedObject? Find(in NodeRow row, int node)
    {
        IAsyncFamily family = AsyncFamilies.Of(row);
        if (family.StateOf(row) != OperationState.Suspended)
            return null;
        if (family.OwnerAwaits)
            return _source.AwaitedByOwner(row);
        if (!row.IsChain)
            return row.State < 0 ? null : _source.AwaitedByMachine(row, _table[_table.IdOf(row)].Machine?.Await?.AwaiterField);
        if (_chains.HeadOf(row) is not (>= 0 and var head))
            return null;
        Announce(node);
        return _source.AwaitedByChain(_index.Frames.SavedOf(head).GCData, row.Address, _table[_table.IdOf(head)].Origin == FrameOrigin.Runtime);
    }

    // The innermost frames of the next operations, and what they saved, are on their way before they are read.
    private void Announce(int node)
    {
        if (node + Later >= _index.Nodes.Length)
            return;
        _source.Announce(_index.Nodes[node + Later].Body);
        _source.Announce(_index.Nodes[node + Later].Body + CacheLine);
        ref readonly NodeRow soon = ref _index.Nodes[node + Soon];
        if (soon.Kind == NodeKind.Chain)
            _source.Announce(_index.Frames.SavedAt(soon.Body).GCData);
    }
}
