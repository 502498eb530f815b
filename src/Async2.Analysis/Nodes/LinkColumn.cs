namespace Async2.Analysis.Nodes;

/// <summary>
/// Where suspended frames lead to, in the order in which they are found: mostly to the one that is found next, which is known as soon as that comes. Only the
/// addresses of others are kept. Grows like a <see cref="Column{T}"/>.
/// </summary>
internal struct LinkColumn()
{
    /// <summary>It leads nowhere.</summary>
    public const int Nowhere = 0;

    /// <summary>It leads to the one behind it.</summary>
    public const int Following = 1;

    /// <summary>It leads to the next of the addresses that are kept.</summary>
    public const int Far = 2;

    private Column<int> _links = new();
    private Column<ulong> _far = new();
    private ulong _last;
    private bool _hasLast;

    /// <summary>Adds a frame.</summary>
    /// <param name="address">Its address.</param>
    /// <param name="next">Where it leads to; 0 for nowhere.</param>
    public void Add(ulong address, ulong next)
    {
        if (_hasLast)
            Close(address);
        (_last, _hasLast) = (next, true);
    }

    /// <summary>What was added since the last time, in order.</summary>
    public (ColumnPart<int>[] Links, ColumnPart<ulong>[] Far) Take()
    {
        if (_hasLast)
            Close(0);
        _hasLast = false;
        return (_links.Take(), _far.Take());
    }

    /// <summary>The addresses to which frames lead; 0 for nowhere.</summary>
    /// <param name="addresses">Theirs.</param>
    /// <param name="links">How they lead there.</param>
    /// <param name="far">Addresses that are kept.</param>
    public static ulong[] AddressesOf(ulong[] addresses, int[] links, ulong[] far)
    {
        var next = GC.AllocateUninitializedArray<ulong>(links.Length);
        for (int i = 0, kept = 0; i < links.Length; i++)
            next[i] = links[i] == Following ? addresses[i + 1] : links[i] == Far ? far[kept++] : 0;
        return next;
    }

    private void Close(ulong following)
    {
        if (_last == 0)
        {
            _links.Add(Nowhere);
        }
        else if (_last == following)
        {
            _links.Add(Following);
        }
        else
        {
            _links.Add(Far);
            _far.Add(_last);
        }
    }
}
