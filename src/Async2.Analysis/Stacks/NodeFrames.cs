using Async2.Analysis.Code;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>Turns nodes into frames: folds the runtime's own and a framework's, adds the elided ones.</summary>
/// <param name="index">The operations.</param>
/// <param name="table">Their frames.</param>
/// <param name="elidedBetween">What the JIT left out between a caller and the next deeper frame (null: what its code calls).</param>
/// <param name="includeFramework">Nothing is folded.</param>
internal sealed class NodeFrames(
    HeapIndex index, FrameTable table, Func<SuspensionPoint, SuspensionPoint?, IReadOnlyList<LogicalFrame>> elidedBetween, bool includeFramework)
{
    private readonly Dictionary<(int Caller, int Deeper), int[]> _between = [];

    /// <summary>Appends the frames of a chain, innermost first.</summary>
    /// <param name="chain">Positions in the index.</param>
    /// <param name="isAwaiting">The chain is known to wait, so that even its innermost frame has a callee that may be elided.</param>
    /// <param name="runsInHead">The innermost frame executes now: its saved await is past.</param>
    /// <param name="draft">Receives the frames.</param>
    public void AppendChain(List<int> chain, bool isAwaiting, bool runsInHead, StackDraft draft)
    {
        int deeper = -1;
        for (int i = 0; i < chain.Count; i++)
        {
            ContinuationRow row = index.Continuations[chain[i]];
            int id = table.IdOf(row);
            if (i == 0 && runsInHead)
                id = table.IdOfRunning(id);
            else if (deeper >= 0 || isAwaiting)
                AppendElided(Between(id, deeper), draft);
            Push(id, row.Address, draft);
            deeper = id;
        }
    }

    /// <summary>Appends the frame of a state machine.</summary>
    public void AppendMachine(NodeRow row, StackDraft draft) => Push(table.IdOf(row), row.Address, draft);

    /// <summary>Appends the frames of a thread.</summary>
    /// <returns>Whether there were any of the user's.</returns>
    public bool AppendSegment(ThreadSegment segment, StackDraft draft)
    {
        bool any = false;
        foreach (ThreadFrame frame in segment.Frames)
        {
            int id = table.IdOf(frame);
            any |= table[id].Origin == FrameOrigin.User;
            Push(id, 0, draft, isPhysical: true);
        }
        return any;
    }

    /// <summary>The innermost frame that is the user's; null when there is none.</summary>
    public LogicalFrame? InnermostOf(List<int> chain)
    {
        foreach (int continuation in chain)
        {
            if (table[table.IdOf(index.Continuations[continuation])] is { Origin: FrameOrigin.User } entry)
                return entry.Frame;
        }
        return null;
    }

    /// <summary>The innermost frame of a thread; null when none is known.</summary>
    public LogicalFrame? InnermostOf(ThreadSegment segment) => segment.Frames is [var first, ..] ? table[table.IdOf(first)].Frame : null;

    /// <summary>The frame of a state machine.</summary>
    public LogicalFrame FrameOf(NodeRow row) => table[table.IdOf(row)].Frame;

    private void Push(int id, ulong address, StackDraft draft, bool isPhysical = false)
    {
        FrameOrigin origin = table[id].Origin;
        if (origin != FrameOrigin.Runtime || includeFramework)
            draft.Push(new StackFrame(id, address), origin == FrameOrigin.User || includeFramework, isPhysical);
    }

    private void AppendElided(int[] ids, StackDraft draft)
    {
        foreach (int id in ids)
            Push(id, 0, draft);
    }

    private int[] Between(int caller, int deeper)
    {
        if (!_between.TryGetValue((caller, deeper), out int[]? ids))
            _between[(caller, deeper)] = ids = [.. elidedBetween(table[caller].Point, deeper < 0 ? null : table[deeper].Point).Select(table.IdOf)];
        return ids;
    }
}
