namespace Async2.Analysis.Nodes;

/// <summary>A column that grows in blocks and gives away what it has for each segment, so that no row is copied twice.</summary>
internal struct Column<T>()
    where T : struct
{
    // 64 KB of the widest simple rows: below what .NET takes for a large object, which would be collected with the oldest.
    private const int BlockLength = 8 * 1024;

    private T[] _block = [];
    private List<ColumnPart<T>>? _full;
    private int _start;
    private int _end;

    public void Add(T item)
    {
        if (_end == _block.Length)
            Grow();
        _block[_end++] = item;
    }

    /// <summary>What was added since the last time, in order.</summary>
    public ColumnPart<T>[] Take()
    {
        if (_end > _start)
            (_full ??= []).Add(new(_block, _start, _end - _start));
        ColumnPart<T>[] taken = _full?.ToArray() ?? [];
        _full = null;
        _start = _end;
        return taken;
    }

    private void Grow()
    {
        if (_end > _start)
            (_full ??= []).Add(new(_block, _start, _end - _start));
        _block = GC.AllocateUninitializedArray<T>(_block.Length == 0 ? 64 : BlockLength);
        _start = _end = 0;
    }
}
