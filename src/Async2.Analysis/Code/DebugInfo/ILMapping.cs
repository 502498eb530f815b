namespace Async2.Analysis.Code.DebugInfo;

/// <summary>
/// Maps native code to IL by control flow: an entry of the debug info marks where the code of a statement begins, and all code
/// that is reached from there without another entry belongs to the statement, wherever the optimiser placed it.
/// </summary>
internal sealed class ILMapping
{
    private readonly ILMappingEntry[] _bounds;
    private readonly NativeFlow _flow;
    private readonly HashSet<int>[] _entry;

    public ILMapping(ILMappingEntry[] bounds, NativeFlow flow)
    {
        _bounds = bounds;
        _flow = flow;
        _entry = new HashSet<int>[flow.Blocks.Length];
        for (int i = 0; i < _entry.Length; i++)
            _entry[i] = [];
        Spread();
    }

    /// <summary>IL offsets of the entries that lead to a native offset, in IL order.</summary>
    public IReadOnlyList<int> Of(uint native)
    {
        if (_flow.IndexOf(native) is not (>= 0 and var block))
            return ILRange.Covering(_bounds, native) is { } covering ? [covering.Low] : [];
        return Last(_flow.Blocks[block].Start, native) is { } own ? [own] : [.. _entry[block].Order()];
    }

    /// <summary>The first entry from one offset up to but not including another.</summary>
    public uint? First(uint from, uint to)
    {
        for (int i = FirstAt(from); i < _bounds.Length && _bounds[i].Native < to; i++)
        {
            if (_bounds[i].IL >= 0)
                return _bounds[i].Native;
        }
        return null;
    }

    private void Spread()
    {
        var open = new Queue<int>(Enumerable.Range(0, _entry.Length));
        while (open.TryDequeue(out int i))
        {
            NativeBlock block = _flow.Blocks[i];
            int? mark = Last(block.Start, block.End - 1);
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

    // The last entry from one offset up to and including another.
    private int? Last(uint from, uint to)
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

/// <summary>The reason for a bound, as chunked debug info records it (ICorDebugInfo::SourceTypes, as packed).</summary>
[Flags]
internal enum ILMappingSource
{
    None = 0,

    /// <summary>A call instruction; says nothing about the code after it.</summary>
    CallInstruction = 1,

    /// <summary>The IL stack is empty there.</summary>
    StackEmpty = 2,

    /// <summary>The suspension of an await.</summary>
    Async = 4,
}

/// <summary>A native offset of a body and the IL offset whose code begins there; negative IL offsets are prolog and the like.</summary>
/// <param name="Native">Bytes from the start of the body.</param>
/// <param name="IL">IL offset, or ICorDebugInfo's NO_MAPPING -1, PROLOG -2, EPILOG -3.</param>
/// <param name="Source">The reason; not read from flagged debug info, whose bounds are all of one kind.</param>
internal sealed record ILMappingEntry(uint Native, int IL, ILMappingSource Source = ILMappingSource.None);
