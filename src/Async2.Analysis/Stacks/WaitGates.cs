using Async2.Analysis.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Reachability;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Which waits are in question when the heap is searched for those that nothing can end, and which operations and threads each of them keeps
/// from doing anything: the one that waits, and all that wait for it without a way out of their own.
/// </summary>
/// <param name="input">The operations, and what threads execute.</param>
/// <param name="graph">Who waits for whom.</param>
/// <param name="chains">Where their frames begin.</param>
/// <param name="leaves">What they wait for.</param>
/// <param name="frames">Tells the user's code from a framework's.</param>
/// <param name="waits">What is known of that.</param>
/// <param name="source">Answers for the target.</param>
internal sealed class WaitGates(StackInput input, AsyncGraph graph, ChainReader chains, LeafReader leaves, FrameExpander frames, ReasonColumn waits, IStackSource source)
{
    private const int NotAsked = 0;
    private const int None = -1;
    private const int WaiterLimit = 64;

    // Has it been given a token, the frames of a thread that blocks have this, or a registration, which is nested in it.
    private const string TokenSource = "System.Threading.CancellationTokenSource";

    // A BlockingCollection links its own token, and that of who calls it, if there is one: then it is a Linked2CancellationTokenSource (10.0.12).
    private const string Collection = "System.Collections.Concurrent.BlockingCollection<";
    private static readonly string[] OfCollection = [TokenSource + "+Linked1CancellationTokenSource", TokenSource + "+CallbackNode"];

    // What BlockingCollection and CountdownEvent wait for inside, and what a token ends therefore.
    private static readonly string[] Inner = ["System.Threading.SemaphoreSlim", "System.Threading.ManualResetEventSlim"];

    // What Task.Run returns for an async method, and ValueTask.AsTask. Others have limits, tokens, or a delegate of their own.
    private static readonly string[] Forwarding = ["System.Threading.Tasks.UnwrapPromise<", "System.Threading.Tasks.ValueTask+ValueTaskSourceAsTask", "System.Threading.Tasks.ValueTask<"];

    private readonly HeapIndex _index = input.Index;
    private readonly Dictionary<int, int> _innermost = ThreadWaits.Innermost(input.Segments);
    private readonly Dictionary<ulong, int> _byAddress = [];
    private readonly List<WaitGate> _gates = [];
    // Of each gate the last leaf, and of each leaf the one before it; -1 for none.
    private readonly List<int> _lastLeaf = [];
    private readonly List<(ulong Awaited, int Node, int Before)> _leaves = [];
    private readonly IReadOnlyDictionary<ulong, WaitReason> _reasons = waits.Reasons;

    // One more than the number of a gate.
    private readonly int[] _gateOf = new int[graph.Count];

    /// <summary>All waits that nothing but the program itself can end.</summary>
    public IReadOnlyList<WaitGate> Gates => _gates;

    /// <summary>What stacks say they wait for, where that is behind a gate, with the operation.</summary>
    public IEnumerable<(ulong Awaited, int Node)> LeavesOf(WaitGate gate)
    {
        for (int leaf = _lastLeaf[_byAddress[gate.Awaited] - 1]; leaf >= 0; leaf = _leaves[leaf].Before)
            yield return (_leaves[leaf].Awaited, _leaves[leaf].Node);
    }

    /// <summary>All who wait for a channel or pipe want to write, and it has no room.</summary>
    public bool IsForRoom(WaitGate gate)
        => gate.Kind == GateKind.Resource && LeavesOf(gate).Any() && LeavesOf(gate).All(leaf => _reasons.GetValueOrDefault(leaf.Awaited) is { Kind: WaitKind.Channel, Action: WaitAction.Write or WaitAction.WaitToWrite } or { Kind: WaitKind.Pipe, Action: WaitAction.Flush });

    /// <summary>What is known of a resource by those who wait for it, of whom the first say what all would.</summary>
    public IEnumerable<WaitFact> FactsOf(WaitGate gate) => gate.Kind != GateKind.Resource ? [] : LeavesOf(gate).Take(WaiterLimit).SelectMany(leaf => _reasons.GetValueOrDefault(leaf.Awaited)?.Shared ?? []);

    /// <summary>Some wait may be without an end: a combinator alone says nothing, unless its tasks are missing.</summary>
    public bool HasCandidate { get; private set; }

    /// <summary>What keeps an operation from doing anything; null if that is not known, or ends by itself.</summary>
    public WaitGate? Before(int node) => _gateOf[node] > 0 ? _gates[_gateOf[node] - 1] : null;

    /// <summary>Finds them.</summary>
    /// <param name="isOneEnough">It is only in question whether there is a candidate.</param>
    public void Find(bool isOneEnough)
    {
        var path = new List<int>();
        for (int node = 0; node < graph.Count; node++)
        {
            int at = node;
            while (at >= 0 && _gateOf[at] == NotAsked)
            {
                // What is met again on the way waits for itself.
                _gateOf[at] = None;
                path.Add(at);
                at = NextOf(at);
            }
            int gate = at >= 0 ? _gateOf[at] : GateOf(path[^1]);
            foreach (int waiter in path)
                Hold(waiter, gate);
            if (HasCandidate && isOneEnough)
                return;
            path.Clear();
        }
        for (int i = 0; i < _index.Combinators.Length; i++)
            HoldCombinator(i);
    }

    // The operation that it waits for, by nothing but that operation's own task.
    private int NextOf(int node)
    {
        int awaited = graph.Awaits(node);
        if (awaited < 0)
            return graph.IsSegment(node) ? HolderOf(node) : -1;
        if (graph.IsCombinator(awaited))
            return -1;
        if (graph.IsSegment(awaited))
            return graph.RunsOn(node) || (!graph.IsSegment(node) && leaves.AwaitedAddress(node) == SegmentOf(awaited).Task) ? awaited : -1;
        if (graph.IsSegment(node))
            return IsHeld(SegmentOf(node)) && StandsFor(SegmentOf(node).BlockedOn, awaited) && !HasToken(SegmentOf(node)) ? awaited : -1;
        ref readonly NodeRow row = ref _index.Nodes[awaited];
        if (row.Kind is NodeKind.Chain or NodeKind.Machine && (IsOnlyWaiter(_index.Nodes[node], row) || (graph.SourceOf(node) == EdgeSource.ContinuationObject && leaves.Awaits(node, row.Address))))
            return awaited;
        ulong address = leaves.AwaitedAddress(node);
        return address == row.Address || StandsFor(address, awaited) ? awaited : -1;
    }

    // The thread that has the lock that another waits for, or whose end it waits for.
    private int HolderOf(int node)
        => graph.Holds.GetValueOrDefault(node) is { IsLimited: false, IsOwnThread: false, Nodes: [var only] } && graph.IsSegment(only) && IsHeld(SegmentOf(node)) && !HasToken(SegmentOf(node)) ? only : -1;

    // A second address of an operation; or what completes with it, and in no other way.
    private bool StandsFor(ulong address, int operation)
        => _index.FindNode(address) == operation || (source.TypeNameOf(address) is { } type && Array.Exists(Forwarding, forwarding => type.StartsWith(forwarding, StringComparison.Ordinal)));

    // A task that has a box itself in m_continuationObject is what the box awaits: the frames of half a million operations need not be read for it.
    private static bool IsOnlyWaiter(in NodeRow waiter, in NodeRow awaited) => awaited.Awaiter == waiter.Address && waiter.Kind is NodeKind.Chain or NodeKind.Machine;

    // Of an operation that waits for no other: one more than the number of a gate.
    private int GateOf(int node)
    {
        if (graph.IsSegment(node))
            return GateOfThread(node, SegmentOf(node));
        if (_index.Nodes[node].Kind is not (NodeKind.Chain or NodeKind.Machine or NodeKind.Pooled) || leaves.PendingAddress(node) is not (not 0 and var awaited))
            return None;
        int next = graph.Awaits(node);
        // What the operation waits for is said of that.
        if (next >= 0 && !graph.IsCombinator(next))
            return IsLeft(awaited) ? NumberOf(GateKind.Resource, awaited, 1) : None;
        int number = next >= 0 ? CombinatorGate(next, awaited, _reasons.GetValueOrDefault(awaited)) : LeafGate(awaited);
        if (number > 0)
            NoteLeaf(number - 1, awaited, node);
        return number;
    }

    private int GateOfThread(int node, ThreadSegment thread)
    {
        int next = graph.Awaits(node), number = None;
        if (next >= 0 && !graph.IsCombinator(next))
            return None;
        // Frames of threads that nobody asks about are not read.
        if (thread.BlockedOn != 0 && source.IsPending(thread.BlockedOn) && !HasToken(thread) && IsHeld(thread))
            number = next >= 0 ? CombinatorGate(next, thread.BlockedOn, leaves.ReasonOf(thread)) : LeafGate(thread.BlockedOn);
        else if (thread.BlockedOn == 0 && next < 0 && leaves.ReasonOf(thread) is { } reason && BlockedGates.KindOf(thread, reason) is { } kind && IsHeld(thread))
            number = EventGate(thread, reason, kind);
        if (number > 0)
            NoteLeaf(number - 1, thread.BlockedOn != 0 ? thread.BlockedOn : _gates[number - 1].Awaited, node);
        return number;
    }

    private int EventGate(ThreadSegment thread, WaitReason reason, (GateKind Kind, bool IsDoubtful) kind)
    {
        ulong address = reason.Resource;
        int number = NumberOf(kind.Kind, address, 1);
        _gates[number - 1].IsDoubtful |= kind.IsDoubtful;
        _gates[number - 1].IsShut |= reason.Says(WaitFactKey.Disposed, 0);
        foreach (ulong root in kind.Kind == GateKind.Event ? thread.Roots : [])
        {
            if (root != address && Inner.Contains(source.TypeNameOf(root)))
                _gates[number - 1].AddEntry(root);
        }
        return number;
    }

    // A thread does nothing before its wait has ended, if that has no other end.
    private bool IsHeld(ThreadSegment thread)
        => thread.IsBlocked && ReferenceEquals(input.Segments[_innermost[thread.ThreadId]], thread) && (!thread.IsPlain || frames.HasUserFrames(thread)) && !source.IsLimited(thread);

    private bool HasToken(ThreadSegment thread)
    {
        string[] types = [.. thread.Roots.Select(source.TypeNameOf).OfType<string>()];
        return Array.Exists(types, type => type.StartsWith(TokenSource, StringComparison.Ordinal) && !(OfCollection.Contains(type) && Array.Exists(types, other => other.StartsWith(Collection, StringComparison.Ordinal))));
    }

    private ThreadSegment SegmentOf(int node) => input.Segments[node - graph.Operations];

    private int LeafGate(ulong awaited)
    {
        WaitReason? reason = _reasons.GetValueOrDefault(awaited);
        if (waits.EndOf(awaited) is not 0 and var end && IsLeft(awaited) && source.IsPlainPromise(end))
            return NumberOf(GateKind.Resource, awaited, 1);
        if (reason is { Behind: not null } or { EndsByItself: true })
            return None;
        // Of those that were too many to be asked, most end by themselves.
        if (reason is null && !waits.WasAsked(awaited) && !source.IsPlainPromise(awaited))
            return None;
        switch (reason?.Kind)
        {
            // All who have it could start it.
            case WaitKind.Task when IsNotStarted(awaited):
                return NumberOf(GateKind.Resource, awaited, 1);
            case null or WaitKind.None or WaitKind.Task:
                return NumberOf(GateKind.Promise, awaited, 1);
            // Without a resource there is none on the heap in whose queue the waiter stands: it was collected.
            case WaitKind.Semaphore or WaitKind.Channel or WaitKind.Pipe:
                int number = NumberOf(GateKind.Resource, reason.Resource != 0 ? reason.Resource : awaited, 1);
                _gates[number - 1].AddEntry(awaited);
                return number;
            default:
                return None;
        }
    }

    // The promise of a WaitAsync without a limit: what it waits for and its token lead to it.
    private bool IsLeft(ulong awaited)
        => source.TypeNameOf(awaited)?.StartsWith(GateTypes.Left, StringComparison.Ordinal) == true && _reasons.GetValueOrDefault(awaited) is not { EndsByItself: true };

    private int CombinatorGate(int combinator, ulong awaited, WaitReason? reason)
    {
        if (_index.Combinators[combinator - graph.Count].Address != awaited || reason is not { Kind: WaitKind.Task })
            return None;
        foreach (WaitFact fact in reason.Shared)
        {
            long needed = fact.Key switch { WaitFactKey.Pending or WaitFactKey.TasksLeft => fact.Number, WaitFactKey.Done when fact.Of is { } all => all - fact.Number, WaitFactKey.FirstOf => 1, _ => 0 };
            if (needed is not (> 0 and < int.MaxValue))
                continue;
            // Of promises among others it is in question who completes them.
            HasCandidate |= graph.LeavesOf(combinator).Any(source.IsPlainPromise) || reason.Shared.Any(among => among is { Key: WaitFactKey.Among, Text: { } name } && name.StartsWith(nameof(TaskCompletionSource), StringComparison.Ordinal));
            return NumberOf(GateKind.Combinator, awaited, (int)needed);
        }
        return None;
    }

    // A combinator for which another one waits is a waiter like any operation.
    private void HoldCombinator(int combinator)
    {
        ulong address = _index.Combinators[combinator].Address;
        if (_byAddress.TryGetValue(address, out int number) && _gates[number - 1].Kind == GateKind.Combinator)
            _gates[number - 1].AddWaiter(address);
    }

    private void Hold(int node, int gate)
    {
        _gateOf[node] = gate;
        if (gate != None && graph.IsSegment(node))
            _gates[gate - 1].AddThread(SegmentOf(node).ThreadId);
        if (gate == None || graph.IsSegment(node) || _index.Nodes[node].Kind is not (NodeKind.Chain or NodeKind.Machine or NodeKind.Pooled))
            return;
        WaitGate wait = _gates[gate - 1];
        wait.AddWaiter(_index.Nodes[node].Address);
        if (_index.Nodes[node].IsChain && chains.KnownHeadOf(node) is >= 0 and var head)
            wait.AddWaiter(_index.Frames.AddressOf(head));
    }

    private int NumberOf(GateKind kind, ulong address, int needed)
    {
        if (!_byAddress.TryGetValue(address, out int number))
        {
            var gate = new WaitGate(kind, address) { Needed = needed };
            _gates.Add(gate);
            _lastLeaf.Add(None);
            _byAddress[address] = number = _gates.Count;
            HasCandidate = HasCandidate || kind != GateKind.Combinator || KnownSources(gate) < needed;
        }
        return number;
    }

    private void NoteLeaf(int gate, ulong awaited, int node)
    {
        _leaves.Add((awaited, node, _lastLeaf[gate]));
        _lastLeaf[gate] = _leaves.Count - 1;
    }

    private int KnownSources(WaitGate gate)
    {
        int node = graph.Count + _index.FindCombinator(gate.Awaited);
        return node < graph.Count ? int.MaxValue : graph.PartsOf(node).Count + graph.LeavesOf(node).Count(leaf => !IsNotStarted(leaf));
    }

    private bool IsNotStarted(ulong task) => _reasons.GetValueOrDefault(task) is { } reason && reason.Shared.Any(fact => fact.Key == WaitFactKey.TaskNotStarted);
}
