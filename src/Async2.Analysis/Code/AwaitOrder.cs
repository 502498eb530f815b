namespace Async2.Analysis.Code;

/// <summary>Which native await can come next after which without a mark of another statement in between.</summary>
internal sealed class AwaitOrder
{
    private readonly IReadOnlyList<NativeAwait> _awaits;
    private readonly NativeFlow _flow;
    private readonly NativeMarks _marks;
    private readonly ILookup<int, int> _byBlock;

    private AwaitOrder(IReadOnlyList<NativeAwait> awaits, NativeFlow flow, NativeMarks marks)
    {
        _awaits = awaits;
        _flow = flow;
        _marks = marks;
        _byBlock = Enumerable.Range(0, awaits.Count).ToLookup(i => flow.IndexOf(awaits[i].Offset));
    }

    /// <summary>For each await the positions of those that can follow.</summary>
    public static IReadOnlyList<int>[] Of(IReadOnlyList<NativeAwait> awaits, NativeFlow flow, NativeMarks marks)
    {
        var order = new AwaitOrder(awaits, flow, marks);
        return [.. awaits.Select(a => order.After(a.Offset))];
    }

    private List<int> After(uint offset)
    {
        var found = new List<int>();
        var seen = new HashSet<int>();
        var open = new Stack<(int Block, uint From)>();
        if (_flow.IndexOf(offset) is >= 0 and var first)
            open.Push((first, offset + 1));
        while (open.TryPop(out var at))
        {
            NativeBlock block = _flow.Blocks[at.Block];
            uint end = _marks.FirstMark(at.From, block.End) ?? uint.MaxValue;
            int next = FirstAwait(at.Block, at.From, end);
            if (next >= 0)
                found.Add(next);
            else if (end == uint.MaxValue)
                Push(block, seen, open);
        }
        return found;
    }

    private int FirstAwait(int block, uint from, uint end)
        => _byBlock[block].Where(i => _awaits[i].Offset >= from && _awaits[i].Offset < end)
            .OrderBy(i => _awaits[i].Offset).DefaultIfEmpty(-1).First();

    private void Push(NativeBlock block, HashSet<int> seen, Stack<(int Block, uint From)> open)
    {
        foreach (int successor in block.Next)
        {
            if (seen.Add(successor))
                open.Push((successor, _flow.Blocks[successor].Start));
        }
    }
}
