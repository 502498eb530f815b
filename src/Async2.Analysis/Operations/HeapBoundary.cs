namespace Async2.Analysis.Operations;

/// <summary>
/// Up to where objects of a later model were there in the earlier one, for each part of the heap: a collection keeps the order in which they were made,
/// so what lies behind something new is new. Each thread fills a piece of its own, so that order is not strict: the boundary is where it is wrong least often.
/// </summary>
/// <param name="after">The later model.</param>
internal sealed class HeapBoundary(OperationRows after)
{
    private readonly Dictionary<ulong, List<(ulong Address, bool IsNew)>> _known = [];
    private readonly Dictionary<ulong, ulong> _boundaries = [];

    /// <summary>Says of an object when it was made.</summary>
    public void Add(ulong address, bool isNew)
    {
        if (address == 0 || after.RangeOf(address) is not { } range)
            return;
        if (!_known.TryGetValue(range, out List<(ulong Address, bool IsNew)>? known))
            _known[range] = known = [];
        known.Add((address, isNew));
        _boundaries.Remove(range);
    }

    /// <summary>Whether an object was there before, as far as is known.</summary>
    public bool IsOld(ulong address) => !after.IsYoung(address) && (after.RangeOf(address) is not { } range || address < BoundaryOf(range));

    private ulong BoundaryOf(ulong range)
    {
        if (!_known.TryGetValue(range, out List<(ulong Address, bool IsNew)>? known))
            return ulong.MaxValue;
        if (!_boundaries.TryGetValue(range, out ulong boundary))
            _boundaries[range] = boundary = Best(known);
        return boundary;
    }

    private static ulong Best(List<(ulong Address, bool IsNew)> known)
    {
        known.Sort();
        // With the boundary before all of them, the old ones are wrong.
        int wrong = known.Count(item => !item.IsNew), least = wrong;
        ulong best = known[0].Address;
        for (int i = 0; i < known.Count; i++)
        {
            wrong += known[i].IsNew ? 1 : -1;
            if (wrong < least)
                (least, best) = (wrong, i + 1 < known.Count ? known[i + 1].Address : ulong.MaxValue);
        }
        return best;
    }
}
