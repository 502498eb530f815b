namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// Addresses of native structs that were met: a bit for each possible one, in pages that exist where there are any. A million cost
/// less than in a hash table, because what was allocated together lies together.
/// </summary>
internal sealed class AddressSet
{
    // malloc aligns to two words; private builds may not.
    private const int AlignmentBits = 3;
    private const int PageBits = 20;

    private readonly Dictionary<ulong, ulong[]> _pages = [];
    private ulong _lastNumber = ulong.MaxValue;
    private ulong[] _last = [];

    public int Count { get; private set; }

    /// <summary>False if it was there already.</summary>
    public bool Add(ulong address)
    {
        ulong[] page = PageOf(address >> PageBits);
        int bit = (int)((address & ((1ul << PageBits) - 1)) >> AlignmentBits);
        ulong mask = 1ul << (bit & 63);
        ref ulong word = ref page[bit >> 6];
        if ((word & mask) != 0)
            return false;
        word |= mask;
        Count++;
        return true;
    }

    public bool Contains(ulong address)
    {
        ulong number = address >> PageBits;
        ulong[]? page = _last;
        if (number != _lastNumber && !_pages.TryGetValue(number, out page))
            return false;
        int bit = (int)((address & ((1ul << PageBits) - 1)) >> AlignmentBits);
        return (page[bit >> 6] & (1ul << (bit & 63))) != 0;
    }

    /// <summary>Whether there is an address in both.</summary>
    public bool Overlaps(AddressSet other)
    {
        foreach ((ulong number, ulong[] page) in _pages)
        {
            if (!other._pages.TryGetValue(number, out ulong[]? others))
                continue;
            for (int i = 0; i < page.Length; i++)
            {
                if ((page[i] & others[i]) != 0)
                    return true;
            }
        }
        return false;
    }

    private ulong[] PageOf(ulong number)
    {
        if (number == _lastNumber)
            return _last;
        if (!_pages.TryGetValue(number, out ulong[]? page))
            _pages[number] = page = new ulong[1 << (PageBits - AlignmentBits - 6)];
        (_lastNumber, _last) = (number, page);
        return page;
    }
}
