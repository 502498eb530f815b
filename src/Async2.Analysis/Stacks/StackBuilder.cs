using Async2.Analysis.Graph;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Puts logical stacks together: each begins at a chain that waits for no other chain, and goes on through the chains that wait
/// for it. Each chain is shown once. Where several wait for one, the first goes on in its stack, and the others begin stacks of
/// their own that say which stack they wait for. Chains that wait for each other in a circle are deadlocked and make one stack;
/// who waits for one of them from outside has a stack of its own.
/// </summary>
internal sealed class StackBuilder(HeapIndex index, AsyncGraph graph, ChainReader chains, ChainFrames frames, LeafReader leaves)
{
    private const int CancellationInterval = 0xfff;

    private readonly bool[] _shown = new bool[graph.Count];
    private readonly List<int> _chain = [];
    private readonly StackDraft _draft = new();
    private readonly Queue<int> _alsoWaiting = new();

    /// <summary>Calls back for each stack, in a fixed order; the draft is reused for the next one.</summary>
    /// <returns>False when it was cancelled.</returns>
    public bool Build(Action<StackDraft> add, CancellationToken cancellation)
    {
        for (int node = 0; node < graph.Count; node++)
        {
            if (graph.Awaits(node) < 0)
                BuildFrom(node, add);
            if ((node & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
                return false;
        }
        foreach (IReadOnlyList<int> circle in graph.Circles())
        {
            if (cancellation.IsCancellationRequested)
                return false;
            BuildCircle(circle, add);
        }
        return true;
    }

    private void BuildFrom(int start, Action<StackDraft> add)
    {
        _alsoWaiting.Enqueue(start);
        BuildWaiting(add);
    }

    private void BuildCircle(IReadOnlyList<int> circle, Action<StackDraft> add)
    {
        _draft.Clear();
        int first = FirstOf(circle);
        for (int i = 0; i < circle.Count; i++)
            Append(circle[(first + i) % circle.Count]);
        _draft.State = StackState.Deadlocked;
        Finish(add);
        foreach (int node in circle)
            EnqueueWaiters(node);
        BuildWaiting(add);
    }

    private void BuildWaiting(Action<StackDraft> add)
    {
        while (_alsoWaiting.TryDequeue(out int start))
        {
            _draft.Clear();
            for (int node = start; node >= 0; node = NextWaiter(node))
                Append(node);
            Finish(add);
        }
    }

    private void Append(int node)
    {
        bool isFirst = _draft.Chains.Count == 0;
        _shown[node] = true;
        _draft.Chains.Add(node);
        _draft.Task = index.Tasks[node].Address;
        chains.Read(node, _chain);
        if (isFirst)
            Start(node);
        else
            frames.Append(_chain, isAwaiting: false, runsInHead: false, _draft.Frames);
    }

    private void Start(int node)
    {
        ulong task = index.Tasks[node].Address;
        _draft.WaitsForChain = graph.Awaits(node);
        if (_chain.Count == 0)
        {
            // A chain that is not there to be seen; those who wait for it wait for its task.
            _draft.WaitingOn = new WaitingOn(WaitKind.Task, "Task", task);
            return;
        }
        LeafState leaf = leaves.Read(node, _chain, task);
        _draft.State = leaf.State;
        _draft.Thread = leaf.Thread;
        _draft.WaitingOn = leaf.WaitingOn;
        _chain.RemoveRange(0, leaf.Returned);
        frames.Append(_chain, leaf.IsProven && _draft.WaitsForChain < 0, leaf.State == StackState.Active, _draft.Frames);
    }

    private void Finish(Action<StackDraft> add)
    {
        if (_draft.Frames.Count > 0)
            add(_draft);
    }

    private int NextWaiter(int node)
    {
        int next = -1;
        foreach (int waiter in graph.AwaitedBy(node))
        {
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
            if (!_shown[waiter])
                _alsoWaiting.Enqueue(waiter);
        }
    }

    // A circle has no beginning. By name, not by place on the heap: the same deadlock must look the same tomorrow.
    private int FirstOf(IReadOnlyList<int> circle)
    {
        int first = 0;
        LogicalFrame? best = null;
        for (int i = 0; i < circle.Count; i++)
        {
            chains.Read(circle[i], _chain);
            if (frames.InnermostOf(_chain) is not { } frame || (best is not null && FrameOrder.Compare(best, frame) <= 0))
                continue;
            first = i;
            best = frame;
        }
        return first;
    }
}
