using Async2.Analysis.Code.Metadata;

namespace Async2.Analysis.Code;

/// <summary>All suspension points of one native body, decoded.</summary>
internal sealed class SuspensionBody
{
    private readonly NativeBound[] _bounds;
    private readonly IReadOnlyList<AwaitSite> _sites;
    private readonly List<NativeAwait> _awaits;
    private readonly Dictionary<uint, (NativeAwait Await, AsyncMethod? Callee)> _byState = [];

    public SuspensionBody(
        AsyncMethod method, ulong start, NativeBound[] bounds, IReadOnlyList<(NativeAwait Await, AsyncMethod? Callee)> awaits, IReadOnlyList<AwaitSite> sites)
    {
        Method = method;
        Start = start;
        _bounds = bounds;
        _sites = sites;
        _awaits = [.. awaits.Select(a => a.Await)];
        foreach (var one in awaits)
            _byState.TryAdd(one.Await.State, one);
    }

    public AsyncMethod Method { get; }

    /// <summary>Address of the first instruction.</summary>
    public ulong Start { get; }

    /// <summary>The point without its source line; exactness None when the state's code was not found.</summary>
    public SuspensionPoint PointOf(uint state)
    {
        var unknown = new SuspensionPoint { Method = Method };
        if (!_byState.TryGetValue(state, out var found))
            return WithoutCode(unknown);
        AwaitMatch match = AwaitMatcher.Match(_bounds, _sites, _awaits, found.Await);
        List<NativeAwait> neighbours = Neighbours(found.Await);
        return unknown with
        {
            Site = match.Site,
            Exactness = match.Exactness,
            CallTarget = found.Callee,
            Neighbours = [.. neighbours.Select(n => n.Callee)],
            Position = neighbours.IndexOf(found.Await),
        };
    }

    // A method with a single await can only be there, decoder or not.
    private SuspensionPoint WithoutCode(SuspensionPoint unknown) => _sites.Count switch
    {
        0 => unknown,
        1 => unknown with { Site = _sites[0], Exactness = Exactness.Exact },
        _ => unknown with { Site = _sites[0], Exactness = Exactness.Approximate },
    };

    private List<NativeAwait> Neighbours(NativeAwait wanted)
    {
        if (ILRange.Covering(_bounds, wanted.Offset) is not { } range)
            return [wanted];
        return [.. _awaits.Where(a => ILRange.Covering(_bounds, a.Offset) == range).OrderBy(a => a.Offset)];
    }
}
