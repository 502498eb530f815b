using Async2.Analysis.Code;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>What the innermost end of a chain is doing.</summary>
/// <param name="State">Awaiting, scheduled or active.</param>
/// <param name="WaitingOn">What it waits for; null when it waits for nothing.</param>
/// <param name="Thread">The thread that runs it.</param>
/// <param name="Returned">Frames at the chain's head that have returned since it was suspended.</param>
/// <param name="IsProven">The awaited object names this chain as its waiter.</param>
internal readonly record struct LeafState(StackState State, WaitingOn? WaitingOn, int? Thread, int Returned, bool IsProven);

/// <summary>Reads the state of chains at their innermost end.</summary>
/// <param name="index">The async objects.</param>
/// <param name="table">Their frames.</param>
/// <param name="findAwaited">What a continuation's references hold for a task; the last says that the frame is one of the runtime's own.</param>
/// <param name="running">Chains that threads execute, by the address of their task.</param>
internal sealed class LeafReader(
    HeapIndex index, FrameTable table, Func<ulong, ulong, bool, AwaitedObject?> findAwaited, IReadOnlyDictionary<ulong, RunningChain> running)
{
    private readonly Dictionary<int, AwaitedObject?> _awaited = [];

    public LeafState Read(int node, List<int> chain, ulong task)
    {
        if (running.TryGetValue(task, out RunningChain run))
            return new(StackState.Active, null, run.ThreadId, ReturnedIn(chain, run.Continuation), IsProven: false);
        SuspensionPoint leaf = table[table.IdOf(index.Continuations[chain[0]])].Point;
        AwaitedObject? awaited = AwaitedBy(node, chain[0], task);
        return new(
            awaited is { IsCompleted: true } ? StackState.Scheduled : StackState.Awaiting,
            WaitDescriber.Describe(leaf, awaited), null, 0, awaited is { PointsBack: true });
    }

    /// <summary>Address of what a chain waits for; 0 when it cannot be told.</summary>
    public ulong AwaitedAddress(int node)
    {
        ThunkTaskRow task = index.Tasks[node];
        int head = index.FindContinuation(task.Head);
        return head < 0 || index.Continuations[head].Resume == 0 ? 0 : AwaitedBy(node, head, task.Address)?.Address ?? 0;
    }

    private AwaitedObject? AwaitedBy(int node, int head, ulong task)
    {
        if (!_awaited.TryGetValue(node, out AwaitedObject? awaited))
        {
            ContinuationRow row = index.Continuations[head];
            bool isRuntimeLeaf = !table[table.IdOf(row)].IsUser;
            _awaited[node] = awaited = findAwaited(row.GCData, task, isRuntimeLeaf);
        }
        return awaited;
    }

    private int ReturnedIn(List<int> chain, ulong resumed)
    {
        for (int i = 0; i < chain.Count; i++)
        {
            if (index.Continuations[chain[i]].Address == resumed)
                return i;
        }
        return 0;
    }
}
