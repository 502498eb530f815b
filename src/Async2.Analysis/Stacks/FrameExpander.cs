using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>Turns nodes into frames: folds the runtime's own and a framework's, adds the elided ones.</summary>
/// <param name="index">The operations.</param>
/// <param name="segments">The segments of threads, whose nodes follow the operations.</param>
/// <param name="chains">The operations' chains.</param>
/// <param name="table">Their frames.</param>
/// <param name="readers">Know what the JIT left out.</param>
/// <param name="includeFramework">Nothing is folded.</param>
internal sealed class FrameExpander(
    HeapIndex index, IReadOnlyList<ThreadSegment> segments, ChainReader chains, FrameTable table, StackReaders readers, bool includeFramework)
{
    // Asked for each frame of each stack that is new: most pairs are found in the small table before the big one.
    private const int RecentPairs = 4096;

    private readonly Dictionary<(int Caller, int Deeper), int[]> _between = [];
    private readonly Dictionary<int, int[]> _above = [];
    private int? _leftOut;
    private int? _unreadable;
    private readonly (int Caller, int Deeper, int[]? Ids)[] _recent = new (int, int, int[]?)[RecentPairs];

    /// <summary>Adds the frames of a stack's parts to it.</summary>
    public void Expand(StackDraft draft)
    {
        foreach (StackPart part in draft.Parts)
        {
            if (part.Node >= index.Nodes.Length)
                AppendSegment(segments[part.Node - index.Nodes.Length], draft);
            else if (index.Nodes[part.Node].IsChain)
                AppendChain(chains.Of(part.Node), part, draft);
            else if (part.Skip == 0)
                Push(Noted(table.IdOf(index.Nodes[part.Node]), part), index.Nodes[part.Node].Address, draft);
        }
    }

    /// <summary>Whether a thread executes code of the user's there.</summary>
    public bool HasUserFrames(ThreadSegment segment) => segment.Frames.Any(frame => table[table.IdOf(frame)].Origin == FrameOrigin.User);

    /// <summary>The innermost frame that is the user's; null when there is none.</summary>
    public LogicalFrame? InnermostOf(ChainRow chain)
    {
        int current = chain.Head;
        for (int i = 0; i < chain.Length; i++, current = index.Frames.Next(current))
        {
            if (table[table.IdOf(current)] is { Origin: FrameOrigin.User } entry)
                return entry.Frame;
        }
        return null;
    }

    /// <summary>The innermost frame of a thread; null when none is known.</summary>
    public LogicalFrame? InnermostOf(ThreadSegment segment) => segment.Frames is [var first, ..] ? table[table.IdOf(first)].Frame : null;

    /// <summary>The frame of a state machine.</summary>
    public LogicalFrame FrameOf(in NodeRow row) => table[table.IdOf(row)].Frame;

    private void AppendSegment(ThreadSegment segment, StackDraft draft)
    {
        foreach (ThreadFrame frame in segment.Frames)
            Push(table.IdOf(frame), 0, draft, isPhysical: true);
    }

    private void AppendChain(ChainRow chain, StackPart part, StackDraft draft)
    {
        FrameColumns continuations = index.Frames;
        int deeper = -1, current = chain.Head;
        bool hasFrames = part.Skip > 0, wasNoted = false;
        draft.Reserve(chain.Length);
        for (int i = 0; i < chain.Length; i++, current = continuations.Next(current))
        {
            if (i < part.Skip)
                continue;
            int id = table.IdOf(current);
            hasFrames |= includeFramework || table[id].Origin != FrameOrigin.Runtime;
            if (i == part.Skip && part.RunsInHead)
                id = table.IdOfRunning(id);
            else if (deeper >= 0 || part.IsAwaiting)
                AppendElided(Between(id, deeper), draft);
            bool isNoted = part.Note >= 0 && !wasNoted && table[id].Origin != FrameOrigin.Runtime;
            wasNoted |= isNoted;
            Push(isNoted ? Noted(id, part) : id, continuations.AddressOf(current), draft);
            deeper = id;
        }
        if (chain.IsUnreadable)
            Push(_unreadable ??= table.IdOf(FrameNames.Unreadable), index.Nodes[part.Node].Address, draft);
        if (deeper < 0)
            return;
        int[] above = chains.IsCut(part.Node) || index.Nodes[part.Node] is not { Kind: NodeKind.Chain, IsThunk: false } ? [] : Above(deeper);
        AppendElided(above, draft);
        if (!hasFrames && above.Length == 0)
            AppendElided([_leftOut ??= table.IdOf(FrameNames.LeftOut)], draft);
    }

    private int Noted(int id, StackPart part) => part.Note < 0 ? id : table.IdOfNoted(id, readers.Notes[part.Note]);

    private int[] Above(int outermost)
    {
        if (!_above.TryGetValue(outermost, out int[]? ids))
            _above[outermost] = ids = [.. readers.ElidedAbove(table[outermost].Point).Select(table.IdOf)];
        return ids;
    }

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
        ref (int Caller, int Deeper, int[]? Ids) recent = ref _recent[((caller * 31) + deeper) & (RecentPairs - 1)];
        if (recent.Ids is null || recent.Caller != caller || recent.Deeper != deeper)
            recent = (caller, deeper, Find(caller, deeper));
        return recent.Ids!;
    }

    private int[] Find(int caller, int deeper)
    {
        if (!_between.TryGetValue((caller, deeper), out int[]? ids))
            _between[(caller, deeper)] = ids = [.. readers.ElidedBetween(table[caller].Point, deeper < 0 ? null : table[deeper].Point).Select(table.IdOf)];
        return ids;
    }
}
