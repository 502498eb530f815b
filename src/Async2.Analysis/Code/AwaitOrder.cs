namespace Async2.Analysis.Code;

/// <summary>Which native await can come next after which without a mark of another statement in between.</summary>
internal static class AwaitOrder
{
    public static IReadOnlyList<int>[] Of(IReadOnlyList<NativeAwait> awaits, NativeFlow flow, NativeMarks marks)
    {
        var byBlock = new Dictionary<int, List<int>>();
        for (int i = 0; i < awaits.Count; i++)
        {
            int block = flow.IndexOf(awaits[i].Offset);
            if (!byBlock.TryGetValue(block, out List<int>? list))
                byBlock[block] = list = [];
            list.Add(i);
        }
        var next = new IReadOnlyList<int>[awaits.Count];
        for (int i = 0; i < awaits.Count; i++)
            next[i] = After(awaits[i].Offset);
        return next;

        List<int> After(uint offset)
        {
            var found = new List<int>();
            var seen = new HashSet<int>();
            var open = new Stack<(int Block, uint From)>();
            if (flow.IndexOf(offset) is >= 0 and var first)
                open.Push((first, offset + 1));
            while (open.TryPop(out var at))
            {
                NativeBlock block = flow.Blocks[at.Block];
                uint end = marks.FirstMark(at.From, block.End) ?? uint.MaxValue;
                int await = FirstAwait(at.Block, at.From, end);
                if (await >= 0)
                    found.Add(await);
                else if (end == uint.MaxValue)
                    Push(block, seen, open);
            }
            return found;
        }

        int FirstAwait(int block, uint from, uint end)
            => (byBlock.GetValueOrDefault(block) ?? []).Where(i => awaits[i].Offset >= from && awaits[i].Offset < end)
                .OrderBy(i => awaits[i].Offset).DefaultIfEmpty(-1).First();

        void Push(NativeBlock block, HashSet<int> seen, Stack<(int, uint)> open)
        {
            foreach (int successor in block.Next)
            {
                if (seen.Add(successor))
                    open.Push((successor, flow.Blocks[successor].Start));
            }
        }
    }
}
