using Async2.Analysis.Code.Metadata;

namespace Async2.Analysis.Code;

/// <summary>An await in IL, and how sure it is that a native suspension point is this one.</summary>
internal readonly record struct AwaitMatch(AwaitSite? Site, Exactness Exactness);

/// <summary>
/// Matches a native suspension point with an await in IL. The debug info gives a range of IL for the native call, often a whole
/// statement with several awaits in it (release builds keep values on the IL stack). Inside the range awaits are told apart by
/// the method they call, then by their order; what cannot be told is called approximate.
/// </summary>
internal static class AwaitMatcher
{
    /// <param name="bounds">Debug info of the body.</param>
    /// <param name="sites">Awaits of the method, in IL order.</param>
    /// <param name="awaits">All suspension points of the body.</param>
    /// <param name="wanted">The one to match.</param>
    public static AwaitMatch Match(
        ReadOnlySpan<NativeBound> bounds, IReadOnlyList<AwaitSite> sites, IReadOnlyList<NativeAwait> awaits, NativeAwait wanted)
    {
        if (sites.Count == 0)
            return default;
        if (sites.Count == 1)
            return new(sites[0], Exactness.Exact);
        if (ILRange.Covering(bounds, wanted.Offset) is not { } range)
            return new(sites[0], Exactness.Approximate);
        List<AwaitSite> candidates = [.. sites.Where(range.Contains)];
        if (candidates.Count == 0)
            return default;
        if (candidates.Count == 1)
            return new(candidates[0], Contradicts(candidates[0], sites, wanted) ? Exactness.Approximate : Exactness.Exact);
        return ByCallee(candidates, wanted) ?? ByOrder(bounds, candidates, awaits, wanted, range)
            ?? new(candidates[0], Exactness.Approximate);
    }

    // The optimiser may move a block behind code of another statement. Then the range is not the call's own, which shows when the
    // call goes to a method that this await does not name and another one does. (One that no await names was inlined from.)
    private static bool Contradicts(AwaitSite site, IReadOnlyList<AwaitSite> all, NativeAwait wanted)
        => wanted.Callee is { } callee && !CalleeComparer.CanCall(site, callee) && all.Any(other => CalleeComparer.CanCall(other, callee));

    private static AwaitMatch? ByCallee(List<AwaitSite> candidates, NativeAwait wanted)
    {
        if (wanted.Callee is not { } callee)
            return null;
        AwaitSite[] same = [.. candidates.Where(site => CalleeComparer.CanCall(site, callee))];
        return same.Length == 1 ? new(same[0], Exactness.Exact) : null;
    }

    private static AwaitMatch? ByOrder(
        ReadOnlySpan<NativeBound> bounds, List<AwaitSite> candidates, IReadOnlyList<NativeAwait> awaits, NativeAwait wanted, ILRange range)
    {
        var inRange = new List<NativeAwait>();
        foreach (NativeAwait other in awaits)
        {
            if (ILRange.Covering(bounds, other.Offset) == range)
                inRange.Add(other);
        }
        inRange.Sort((a, b) => a.Offset.CompareTo(b.Offset));
        return Nth(candidates, inRange, wanted) ?? AmongSameCallee(candidates, inRange, wanted);
    }

    private static AwaitMatch? AmongSameCallee(List<AwaitSite> candidates, List<NativeAwait> inRange, NativeAwait wanted)
    {
        if (wanted.Callee is not { } callee)
            return null;
        List<AwaitSite> sites = [.. candidates.Where(site => CalleeComparer.CanCall(site, callee))];
        List<NativeAwait> awaits = [.. inRange.Where(other => other.Callee == callee)];
        return sites.Count > 0 ? Nth(sites, awaits, wanted) : null;
    }

    private static AwaitMatch? Nth(List<AwaitSite> sites, List<NativeAwait> awaits, NativeAwait wanted)
    {
        if (sites.Count != awaits.Count)
            return null;
        int position = awaits.IndexOf(wanted);
        if (position < 0)
            return null;
        // A call that another await of these names proves that the orders differ.
        return Contradicts(sites[position], sites, wanted) ? null : new AwaitMatch(sites[position], Exactness.Order);
    }
}
