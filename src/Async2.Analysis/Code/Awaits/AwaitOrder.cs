using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;

namespace Async2.Analysis.Code.Awaits;

/// <summary>Which native await can come next after which without an entry of another statement in between.</summary>
internal sealed class AwaitOrder
{
    private readonly IReadOnlyList<NativeAwait> _awaits;
    private readonly NativeFlow _flow;
    private readonly ILMapping _marks;
    private readonly ILookup<int, int> _byBlock;

    private AwaitOrder(IReadOnlyList<NativeAwait> awaits, NativeFlow flow, ILMapping marks)
    {
        (_awaits, _flow, _marks) = (awaits, flow, marks);
        _byBlock = Enumerable.Range(0, awaits.Count).OrderBy(i => awaits[i].Offset).ToLookup(i => flow.IndexOf(awaits[i].Offset));
    }

    /// <summary>For each await the positions of those that can follow.</summary>
    public static IReadOnlyList<int>[] Of(IReadOnlyList<NativeAwait> awaits, NativeFlow flow, ILMapping marks)
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
            uint? mark = _marks.First(at.From, block.End);
            if (NextIn(at.Block, at.From, mark ?? block.End) is { } next)
                found.Add(next);
            else if (mark is null)
                PushNext(block, seen, open);
        }
        return found;
    }

    private int? NextIn(int block, uint from, uint end)
    {
        foreach (int i in _byBlock[block])
        {
            if (_awaits[i].Offset >= from)
                return _awaits[i].Offset < end ? i : null;
        }
        return null;
    }

    private void PushNext(NativeBlock block, HashSet<int> seen, Stack<(int, uint)> open)
    {
        foreach (int next in block.Next)
        {
            if (seen.Add(next))
                open.Push((next, _flow.Blocks[next].Start));
        }
    }
}
