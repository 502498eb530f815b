using Async2.Analysis.Code;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>Turns the continuations of a chain into frames: folds the runtime's own, adds the elided ones.</summary>
/// <param name="index">The continuations.</param>
/// <param name="table">Their frames.</param>
/// <param name="elidedBetween">What the JIT left out between a caller and the next deeper frame (null: what its code calls).</param>
/// <param name="includeFramework">Nothing is folded.</param>
internal sealed class ChainFrames(
    HeapIndex index, FrameTable table, Func<SuspensionPoint, SuspensionPoint?, IReadOnlyList<LogicalFrame>> elidedBetween, bool includeFramework)
{
    private readonly Dictionary<(int Caller, int Deeper), int[]> _between = [];

    /// <summary>Appends a chain's frames, innermost first.</summary>
    /// <param name="chain">Positions in the index.</param>
    /// <param name="isAwaiting">The chain is known to wait, so that even its innermost frame has a callee that may be elided.</param>
    /// <param name="runsInHead">The innermost frame executes now: its saved await is past.</param>
    /// <param name="frames">Receives the frames.</param>
    public void Append(List<int> chain, bool isAwaiting, bool runsInHead, List<StackFrame> frames)
    {
        int deeper = -1;
        for (int i = 0; i < chain.Count; i++)
        {
            ContinuationRow row = index.Continuations[chain[i]];
            int id = table.IdOf(row);
            if (i == 0 && runsInHead)
                id = table.IdOfRunning(id);
            else if (deeper >= 0 || isAwaiting)
                AppendElided(Between(id, deeper), frames);
            if (includeFramework || table[id].IsUser)
                frames.Add(new StackFrame(id, row.Address));
            deeper = id;
        }
    }

    /// <summary>The innermost frame that is the user's; null when there is none.</summary>
    public LogicalFrame? InnermostOf(List<int> chain)
    {
        foreach (int continuation in chain)
        {
            if (table[table.IdOf(index.Continuations[continuation])] is { IsUser: true } entry)
                return entry.Frame;
        }
        return null;
    }

    private static void AppendElided(int[] ids, List<StackFrame> frames)
    {
        foreach (int id in ids)
            frames.Add(new StackFrame(id, 0));
    }

    private int[] Between(int caller, int deeper)
    {
        if (!_between.TryGetValue((caller, deeper), out int[]? ids))
            _between[(caller, deeper)] = ids = [.. elidedBetween(table[caller].Point, deeper < 0 ? null : table[deeper].Point).Select(table.IdOf)];
        return ids;
    }
}
