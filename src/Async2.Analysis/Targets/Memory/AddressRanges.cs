namespace Async2.Analysis.Targets.Memory;

/// <summary>Addresses from one to another.</summary>
internal interface IAddressRange
{
    /// <summary>The first address.</summary>
    ulong Start { get; }

    /// <summary>Behind the last one.</summary>
    ulong End { get; }
}

/// <summary>
/// Finds addresses in ranges sorted by start. A hostile process may have any number of them, so searches are
/// binary. (Spans, because a property read through a readonly one is read from a copy of the range.)
/// </summary>
internal static class AddressRanges
{
    /// <summary>Position of the first range that begins after an address; the count if none does.</summary>
    public static int IndexBehind<T>(Span<T> sorted, ulong address)
        where T : IAddressRange
    {
        int low = 0, high = sorted.Length;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            if (sorted[middle].Start <= address)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /// <summary>Position of the range that contains an address, if none overlap; -1 for none.</summary>
    public static int IndexOf<T>(Span<T> sorted, ulong address)
        where T : IAddressRange
    {
        int last = IndexBehind(sorted, address) - 1;
        return last >= 0 && address < sorted[last].End ? last : -1;
    }
}
