using Async2.Analysis.Code;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Stacks;

/// <summary>Turns the continuations of a chain into frames: folds the runtime's own, adds the elided ones.</summary>
internal sealed class ChainFrames(HeapIndex index, FrameTable table, ElidedFrameFinder elided, bool includeFramework, ProblemLog problems)
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
                id = table.IdOf(Running(table[id].Frame));
            else if (deeper >= 0 || isAwaiting)
                frames.AddRange(Between(id, deeper).Select(e => new StackFrame(e, 0)));
            if (includeFramework || table[id].IsUser)
                frames.Add(new StackFrame(id, row.Address));
            deeper = id;
        }
    }

    /// <summary>The innermost frame, whether shown or not.</summary>
    public SuspensionPoint LeafOf(List<int> chain) => table[table.IdOf(index.Continuations[chain[0]])].Point;

    private static LogicalFrame Running(LogicalFrame frame)
        => frame with { ILOffset = null, AwaitNumber = null, Line = null, File = null, Exactness = Exactness.None };

    private int[] Between(int caller, int deeper)
    {
        if (!_between.TryGetValue((caller, deeper), out int[]? ids))
            _between[(caller, deeper)] = ids = Find(table[caller].Point, deeper);
        return ids;
    }

    private int[] Find(SuspensionPoint caller, int deeper)
    {
        AsyncMethod? below = deeper >= 0 ? table[deeper].Point.Method : caller.CallTarget;
        if (caller.Method is not { IsUserBody: true } || below is null)
            return [];
        ElidedFrames found = elided.Between(caller, below);
        if (found.IsGap)
        {
            problems.Add(ProblemCodes.ElidedFrames,
                $"the JIT elided frames between {caller.Method.Facts?.RawName} and {below.Facts?.RawName} that its code does not tell fully");
        }
        return [.. found.Frames.Select(f => table.IdOf(DefinitionFrame.Of(FrameKind.Elided, new(f.Module, f.Facts), f.Site, f.Exactness)))];
    }
}
