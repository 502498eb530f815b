using Async2.Analysis.Families;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Builds logical stacks: each begins at a node that waits for no other node, and continues through its waiters. Each
/// node is shown once. If a node has several waiters, the first one continues its stack; the others begin their own stacks, which
/// name the stack that they wait for. Waiters of a combinator do the same. Nodes that wait for each other in a cycle are
/// deadlocked and form one stack; a waiter outside the cycle has its own stack.
/// </summary>
internal sealed class StackBuilder(
    StackInput input, FrameTable table, AsyncGraph graph, ChainReader chains, FrameExpander frames, LeafReader leaves, IStackSource source)
{
    private const int CancellationInterval = 0xfff;

    // Distinguishes frames of state machines from shapes of chains.
    private const int StateMachineShape = 1 << 30;

    private readonly bool[] _shown = new bool[graph.Count];
    private readonly Queue<int> _alsoWaiting = new();
    private readonly CombinatorCycles _combinatorCycles = new(graph);
    private readonly HeapIndex _index = input.Index;
    private readonly IReadOnlyList<ThreadSegment> _segments = input.Segments;
    private readonly StackDraft _draft = new();
    private ThreadSegment? _runningIn;
    private bool _hasRunningFrames;
    private bool _isTorn;

    /// <summary>Operations that await another operation through a promise.</summary>
    public IReadOnlySet<int> BehindPromises { get; init; } = new HashSet<int>();

    /// <summary>Calls back for each stack, in a fixed order; the draft is reused for the next one.</summary>
    /// <returns>False if it was cancelled.</returns>
    public bool Build(Action<StackDraft> add, CancellationToken cancellation)
    {
        for (int node = 0; node < graph.Count; node++)
        {
            if (graph.IsStart(node) && (input.AllThreads || !graph.IsSegment(node) || !IsPlainThread(node)))
            {
                _alsoWaiting.Enqueue(node);
                BuildWaiting(add);
            }
            if ((node & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
                return false;
        }
        foreach (IReadOnlyList<int> cycle in graph.Cycles())
        {
            if (cancellation.IsCancellationRequested)
                return false;
            BuildCycle(cycle, add);
        }
        return true;
    }

    // A thread that runs no operation, does not block in user code, or reads the console, and that no other thread waits for.
    private bool IsPlainThread(int node)
    {
        ThreadSegment segment = _segments[node - graph.Operations];
        return segment.IsPlain && graph.AwaitedBy(node).Count == 0 && graph.Awaits(node) < 0
            && !graph.IsHolder(node) && graph.Holds.GetValueOrDefault(node) is null or { IsOwnThread: true }
            && (segment is { IsBlocked: false } or { IsEntryPoint: true } or { ReadsConsole: true } || !frames.HasUserFrames(segment));
    }

    private void BuildCycle(IReadOnlyList<int> cycle, Action<StackDraft> add)
    {
        _draft.Clear();
        int first = FirstOf(cycle);
        for (int i = 0; i < cycle.Count; i++)
            Append(cycle[(first + i) % cycle.Count]);
        _draft.State = StackState.Deadlocked;
        _draft.WaitingOn = WithOthers(_draft.WaitingOn, cycle, first);
        Finish(add);
        foreach (int node in cycle)
            EnqueueWaiters(node);
        BuildWaiting(add);
    }

    // If a cycle includes threads, the answer also says what the other threads wait for.
    private WaitingOn? WithOthers(WaitingOn? wait, IReadOnlyList<int> cycle, int first)
    {
        for (int i = cycle.Count - 1; wait is not null && i > 0; i--)
        {
            int node = cycle[(first + i) % cycle.Count];
            if (graph.IsSegment(node) && _segments[node - graph.Operations] is { IsBlocked: true, BlockedOn: 0 } segment && leaves.Read(segment).WaitingOn is { } other)
                wait = wait with { Detail = WaitFormatter.AlsoWaits(wait.Detail, segment.ThreadId, other) };
        }
        return wait;
    }

    private void BuildWaiting(Action<StackDraft> add)
    {
        while (_alsoWaiting.TryDequeue(out int start))
        {
            _draft.Clear();
            _runningIn = null;
            for (int node = start; node >= 0; node = NextWaiter(node))
                Append(node);
            if (_combinatorCycles.Has(start))
                _draft.State = StackState.Deadlocked;
            if (graph.IsSegment(start) && IsPlainThread(start))
                _draft.Flags |= StackFlags.IsPlainThread;
            Finish(add);
        }
    }

    private void Append(int node)
    {
        bool isFirst = _draft.Parts.Count == 0;
        _shown[node] = true;
        LeafState leaf = isFirst ? Start(node) : default;
        if (graph.IsSegment(node))
            AppendSegment(_segments[node - graph.Operations], node);
        else
            AppendOperation(_index.Nodes[node], node, isFirst && leaf.IsProven && (_draft.WaitsFor < 0 || graph.IsCombinator(_draft.WaitsFor)));
    }

    private LeafState Start(int node)
    {
        int awaits = graph.Awaits(node);
        _draft.WaitsFor = awaits;
        if (graph.Holds.TryGetValue(node, out Hold? hold))
        {
            if (awaits < 0 || hold.Nodes.Contains(awaits))
                _draft.Flags |= StackFlags.IsHeld;
            if (awaits < 0 && hold is { IsOwnThread: false } && hold.Nodes.Count > 0 && (hold.NeedsAll || hold.Nodes.Count == 1))
                _draft.WaitsFor = _draft.HeldBy = hold.Nodes[0];
        }
        LeafState leaf = graph.IsSegment(node) ? leaves.Read(_segments[node - graph.Operations]) : leaves.Read(node);
        _draft.State = leaf.State;
        // An operation that waits for another operation waits for a task, even if its own object does not say so.
        _draft.WaitingOn = _draft.WaitsFor >= 0 && !graph.IsCombinator(_draft.WaitsFor) && leaf.WaitingOn is { Text: WaitFormatter.Unknown } ? leaf.WaitingOn with { Kind = WaitKind.Task, Text = "Task" } : leaf.WaitingOn;
        _draft.WaitAddress = leaf.Address;
        return leaf;
    }

    // Segments are never coalesced here: there are few.
    private void AppendSegment(ThreadSegment segment, int node)
    {
        _draft.Add(new StackPart(node), -1 - node);
        _hasRunningFrames = frames.HasUserFrames(segment);
        _runningIn = segment;
        if (segment.BlockedOn != 0 && _draft.State is StackState.Awaiting or StackState.Scheduled)
            _draft.State = StackState.Blocked;
        if (segment.Task != 0)
            _draft.Task = segment.Task;
    }

    private void AppendOperation(in NodeRow row, int node, bool isAwaiting)
    {
        int note = NoteOf(node);
        ThreadSegment? running = _runningIn?.RunsIn == row.Address ? _runningIn : null;
        _runningIn = null;
        IAsyncFamily family = AsyncFamilies.Of(row);
        if (family.HasTask(row))
            _draft.Task = row.Address;
        // The thread may be executing this method itself.
        bool isOnThread = running is not null && _hasRunningFrames;
        if (row.IsChain)
        {
            ChainRow chain = chains.Of(node);
            _isTorn |= chain.IsTorn;
            // The running method may have left the chain already.
            bool hasLeft = family.RunningHasLeftChain || running is { HasLeftChain: true };
            int skip = running is null || hasLeft ? 0 : Math.Min(chain.Length, ReturnedIn(chain, running.Continuation) + (isOnThread ? 1 : 0));
            _draft.Add(new StackPart(node, skip, isAwaiting, RunsInHead: running is not null && !isOnThread && !hasLeft, note), chain.Shape);
        }
        else
        {
            _draft.Add(new StackPart(node, Skip: isOnThread ? 1 : 0, Note: note), StateMachineShape | table.IdOf(row));
        }
    }

    // A promise between a node and the operation that it waits for is not shown, but it may have a timeout.
    private int NoteOf(int node)
    {
        int inner = _draft.Parts is [.., var last] ? last.Node : -1;
        if (!BehindPromises.Contains(node) || inner < 0 || graph.IsSegment(inner) || leaves.AwaitedAddress(node) is not (not 0 and var promise) || promise == _index.Nodes[inner].Address
            || source.TimeoutOf(promise) is not { } limit)
            return -1;
        return frames.NumberOf(WaitFormatter.Timeout(limit));
    }

    private int ReturnedIn(ChainRow chain, ulong resumed)
    {
        int current = chain.Head;
        for (int i = 0; i < chain.Length; i++, current = _index.Frames.Next(current))
        {
            if (_index.Frames.AddressOf(current) == resumed)
                return i;
        }
        return 0;
    }

    private void Finish(Action<StackDraft> add)
    {
        if (!_isTorn)
            add(_draft);
        _isTorn = false;
    }

    private int NextWaiter(int node)
    {
        int next = -1;
        foreach (int waiter in graph.AwaitedBy(node))
        {
            if (graph.IsCombinator(waiter))
                continue;
            if (next < 0)
                next = waiter;
            else
                _alsoWaiting.Enqueue(waiter);
        }
        return next;
    }

    private void EnqueueWaiters(int node)
    {
        foreach (int waiter in graph.AwaitedBy(node))
        {
            if (!graph.IsCombinator(waiter) && !_shown[waiter])
                _alsoWaiting.Enqueue(waiter);
        }
    }

    // A cycle has no beginning. The first frame is chosen by name, not by address, so that the same deadlock always looks the same.
    private int FirstOf(IReadOnlyList<int> cycle)
    {
        int first = 0;
        LogicalFrame? best = null;
        for (int i = 0; i < cycle.Count; i++)
        {
            // An operation that could resume if its thread were free is the most informative one.
            if (!graph.IsSegment(cycle[i]) && graph.Holds.ContainsKey(cycle[i]))
                return i;
        }
        for (int i = 0; i < cycle.Count; i++)
        {
            if (InnermostOf(cycle[i]) is not { } frame || (best is not null && FrameOrder.Compare(best, frame) <= 0))
                continue;
            first = i;
            best = frame;
        }
        return first;
    }

    private LogicalFrame? InnermostOf(int node)
    {
        if (graph.IsSegment(node))
            return frames.InnermostOf(_segments[node - graph.Operations]);
        // An operation that a thread executes begins with the frames of that thread.
        if (graph.IsSegment(graph.Awaits(node)))
            return null;
        if (!_index.Nodes[node].IsChain)
            return frames.FrameOf(_index.Nodes[node]);
        return frames.InnermostOf(chains.Of(node));
    }
}
