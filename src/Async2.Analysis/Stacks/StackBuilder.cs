using Async2.Analysis.Graph;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Puts logical stacks together: each begins at a chain that waits for no other chain, and goes on through the chains that wait
/// for it. Each chain is shown once. Where several wait for one, the first goes on in its stack, and the others begin stacks of
/// their own that say which stack they wait for. Chains that wait for each other in a circle are deadlocked.
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
        // What is left is in a circle, or waits for one.
        for (int node = 0; node < graph.Count; node++)
        {
            if (!_shown[node])
                BuildFrom(StartOfCircle(node), add);
        }
        return true;
    }

    private void BuildFrom(int start, Action<StackDraft> add)
    {
        _alsoWaiting.Enqueue(start);
        while (_alsoWaiting.TryDequeue(out int node))
        {
            if (!_shown[node])
                BuildOne(node, add);
        }
    }

    private void BuildOne(int start, Action<StackDraft> add)
    {
        _draft.Clear();
        int awaited = graph.Awaits(start);
        for (int node = start; node >= 0; node = NextWaiter(node))
        {
            _shown[node] = true;
            _draft.Chains.Add(node);
            _draft.Task = index.Tasks[node].Address;
            chains.Read(index.Tasks[node].Head, _chain);
            if (node == start)
                StartDraft(node, awaited);
            else
                frames.Append(_chain, isAwaiting: false, runsInHead: false, _draft.Frames);
            if (node != start && graph.AwaitedBy(node).Contains(start))
                _draft.State = StackState.Deadlocked;
        }
        if (awaited == start)
            _draft.State = StackState.Deadlocked;
        if (_draft.Frames.Count > 0)
            add(_draft);
    }

    private void StartDraft(int node, int awaited)
    {
        if (_chain.Count == 0)
            return;
        LeafState leaf = leaves.Read(node, _chain, index.Tasks[node].Address);
        _draft.State = leaf.State;
        _draft.Thread = leaf.Thread;
        _draft.WaitingOn = leaf.WaitingOn;
        _draft.WaitsForChain = awaited;
        _chain.RemoveRange(0, leaf.Returned);
        frames.Append(_chain, leaf.IsProven && awaited < 0, leaf.State == StackState.Active, _draft.Frames);
    }

    private int NextWaiter(int node)
    {
        int next = -1;
        foreach (int waiter in graph.AwaitedBy(node))
        {
            if (_shown[waiter])
                continue;
            if (next < 0)
                next = waiter;
            else
                _alsoWaiting.Enqueue(waiter);
        }
        return next;
    }

    // Follow what each waits for until a chain comes again: that one is in the circle, and the others lead to it.
    private int StartOfCircle(int node)
    {
        var seen = new HashSet<int>();
        while (seen.Add(node) && graph.Awaits(node) is >= 0 and var awaited && !_shown[awaited])
            node = awaited;
        return node;
    }
}
