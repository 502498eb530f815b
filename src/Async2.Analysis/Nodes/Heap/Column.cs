namespace Async2.Analysis.Nodes.Heap;

/// <summary>A column that grows and is used again for the next segment.</summary>
internal struct Column<T>()
    where T : struct
{
    private T[] _items = new T[256];

    public int Count { get; private set; }

    public void Add(T item)
    {
        if (Count == _items.Length)
            Array.Resize(ref _items, 2 * Count);
        _items[Count++] = item;
    }

    /// <summary>What was added, in an array of its own; the column is empty then.</summary>
    public T[] Take()
    {
        T[] taken = Count == 0 ? [] : _items.AsSpan(0, Count).ToArray();
        Count = 0;
        return taken;
    }
}
