namespace Async2.Analysis.Code;

/// <summary>
/// The IL that native code can belong to, by control flow: the debug info marks where the code of a statement begins, and all
/// code belongs to it that is reached from there without meeting another mark, wherever the optimiser put it.
/// </summary>
internal sealed class AwaitRanges
{
    private readonly NativeBound[] _bounds;
    private readonly NativeFlow _flow;
    private readonly int[] _marks;
    private readonly HashSet<int>[] _entry;

    public AwaitRanges(NativeBound[] bounds, NativeFlow flow)
    {
        _bounds = bounds;
        _flow = flow;
        _marks = [.. bounds.Where(b => b.IL >= 0).Select(b => b.IL).Distinct().Order()];
        _entry = new HashSet<int>[flow.Blocks.Length];
        for (int i = 0; i < _entry.Length; i++)
            _entry[i] = [];
        Spread();
    }

    /// <summary>Ranges of IL that a native offset can stand for; none when no mark leads there.</summary>
    public IReadOnlyList<ILRange> Of(uint native)
    {
        if (_flow.IndexOf(native) is not (>= 0 and var block))
            return ILRange.Covering(_bounds, native) is { } covering ? [covering] : [];
        return LastMark(_flow.Blocks[block].Start, native) is { } own ? [RangeOf(own)] : [.. _entry[block].Order().Select(RangeOf)];
    }

    /// <summary>The first mark from one offset up to but not including another.</summary>
    public uint? FirstMark(uint from, uint to)
    {
        for (int i = FirstAt(from); i < _bounds.Length && _bounds[i].Native < to; i++)
        {
            if (_bounds[i].IL >= 0)
                return _bounds[i].Native;
        }
        return null;
    }

    private ILRange RangeOf(int mark)
    {
        int at = Array.BinarySearch(_marks, mark);
        return new ILRange(mark, at + 1 < _marks.Length ? _marks[at + 1] : int.MaxValue);
    }

    private void Spread()
    {
        var open = new Queue<int>(Enumerable.Range(0, _entry.Length));
        while (open.TryDequeue(out int i))
        {
            NativeBlock block = _flow.Blocks[i];
            int? mark = LastMark(block.Start, block.End - 1);
            foreach (int next in block.Next)
            {
                int before = _entry[next].Count;
                if (mark is { } own)
                    _entry[next].Add(own);
                else
                    _entry[next].UnionWith(_entry[i]);
                if (_entry[next].Count != before)
                    open.Enqueue(next);
            }
        }
    }

    // The last mark from one offset up to and including another.
    private int? LastMark(uint from, uint to)
    {
        int? mark = null;
        for (int i = FirstAt(from); i < _bounds.Length && _bounds[i].Native <= to; i++)
        {
            if (_bounds[i].IL >= 0)
                mark = _bounds[i].IL;
        }
        return mark;
    }

    private int FirstAt(uint native)
    {
        int low = 0, high = _bounds.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_bounds[middle].Native < native)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
}
