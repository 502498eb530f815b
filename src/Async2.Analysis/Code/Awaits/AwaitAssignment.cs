using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Awaits;

/// <summary>
/// Matches all native awaits of a body with awaits in IL at once. The candidates of an await follow from the debug info entries
/// that lead to it and from the method that it calls; then native order and IL order must agree. An await with
/// one candidate left is proven, the others are distinguished by order, if at all.
/// </summary>
internal sealed class AwaitAssignment
{
    private readonly IReadOnlyList<AwaitSite> _sites;
    private readonly IReadOnlyList<NativeAwait> _awaits;
    private readonly ILFlow _il;
    private readonly Func<AwaitSite, NativeAwait, CallEvidence> _compare;
    private readonly IReadOnlyList<int>[] _marks;
    private readonly ILRegions _regions;
    private readonly HashSet<int>[] _possible;
    private readonly bool _isInOrder;
    private readonly bool[] _isPlaced;
    private readonly bool[] _isProof;

    /// <param name="bounds">Debug info of the body.</param>
    /// <param name="flow">Control flow of the body.</param>
    /// <param name="il">Control flow of the IL.</param>
    /// <param name="sites">Awaits of the method, in IL order.</param>
    /// <param name="awaits">All suspension points of the body.</param>
    /// <param name="compare">How well a native call matches an await.</param>
    public AwaitAssignment(
        ILMappingEntry[] bounds, NativeFlow flow, ILFlow il, IReadOnlyList<AwaitSite> sites, IReadOnlyList<NativeAwait> awaits,
        Func<AwaitSite, NativeAwait, CallEvidence> compare)
    {
        (_sites, _awaits, _il, _compare) = (sites, awaits, il, compare);
        var marks = new ILMapping(bounds, flow);
        _marks = [.. awaits.Select(a => marks.Of(a.Offset))];
        _regions = new ILRegions(bounds, il);
        int[] order = [.. bounds.Where(b => b.IL >= 0).Select(b => b.IL)];
        _isInOrder = order.SequenceEqual(order.Order());
        (_isPlaced, _isProof) = (new bool[awaits.Count], new bool[awaits.Count]);
        _possible = new HashSet<int>[awaits.Count];
        for (int i = 0; i < awaits.Count; i++)
            _possible[i] = Possible(i);
        Narrow(AwaitOrder.Of(awaits, flow, marks));
    }

    /// <summary>The IL await of the native await at a position.</summary>
    public AwaitMatch this[int index] => _sites.Count switch
    {
        0 => default,
        1 => new(_sites[0], Exactness.Exact),
        _ when _possible[index].Count == 1 => new(_sites[_possible[index].First()], _isProof[index] ? Exactness.Exact : Exactness.Order),
        _ => ByOrder(index) ?? new(_sites[_possible[index].Min()], Exactness.Approximate),
    };

    /// <summary>Positions of the native awaits that can be the same IL await as a given one, in native order.</summary>
    public IEnumerable<int> Together(int index) => Enumerable.Range(0, _awaits.Count)
        .Where(i => _possible[i].SetEquals(_possible[index])).OrderBy(i => _awaits[i].Offset);

    private HashSet<int> Possible(int index)
    {
        HashSet<int> inRange = [.. InRegions(index)];
        HashSet<int> called = [.. inRange.Where(s => Evidence(s, index) != CallEvidence.None)];
        if (called.Count > 0)
        {
            _isPlaced[index] = true;
            // Inlining explains much, but does not prove that nothing else was inlined.
            _isProof[index] = inRange.Count == 1 || called.Any(s => Evidence(s, index) == CallEvidence.Direct);
            return called;
        }
        // Entries that lead elsewhere: the call goes to a method that another await names. (A call that no await names comes from an inlined method.)
        HashSet<int> elsewhere = [.. All().Where(s => Evidence(s, index) != CallEvidence.None)];
        _isProof[index] = elsewhere.Count == 0 && inRange.Count == 1;
        return elsewhere.Count > 0 ? elsewhere : inRange.Count > 0 ? inRange : [.. All()];
    }

    private IEnumerable<int> InRegions(int index) => All().Where(s => _marks[index].Any(mark => _regions.Contains(mark, _sites[s])));

    private IEnumerable<int> All() => Enumerable.Range(0, _sites.Count);

    private CallEvidence Evidence(int site, int index) => _compare(_sites[site], _awaits[index]);

    // Each step removes candidates without a counterpart on the other side; it ends because candidates only decrease.
    private void Narrow(IReadOnlyList<int>[] next)
    {
        var pairs = next.SelectMany((after, i) => after.Select(j => (First: i, Second: j)))
            .Where(p => _isPlaced[p.First] && _isPlaced[p.Second] && (_possible[p.First].Count > 1 || _possible[p.Second].Count > 1)).ToList();
        var allowed = pairs.ConvertAll(p => Allowed(p.First, p.Second));
        for (bool changed = true; changed;)
        {
            changed = false;
            for (int i = 0; i < pairs.Count; i++)
            {
                (int first, int second) = pairs[i];
                changed |= Keep(first, s => _possible[second].Any(t => allowed[i].Contains((s, t))));
                changed |= Keep(second, t => _possible[first].Any(s => allowed[i].Contains((s, t))));
            }
        }
    }

    // A contradiction means that an assumption does not hold here; then nothing is concluded from it.
    private bool Keep(int index, Func<int, bool> hasCounterpart)
    {
        HashSet<int> kept = [.. _possible[index].Where(hasCounterpart)];
        if (kept.Count == 0 || kept.Count == _possible[index].Count)
            return false;
        _possible[index] = kept;
        return true;
    }

    private HashSet<(int, int)> Allowed(int first, int second)
    {
        int[] marks = [.. _marks[first].Union(_marks[second])];
        var allowed = new HashSet<(int, int)>();
        foreach (int s in _possible[first])
        {
            HashSet<int> after = _il.After(_sites[s].ILOffset, offset => Array.Exists(marks, mark => _regions.Contains(mark, offset)));
            foreach (int t in _possible[second])
            {
                if (after.Contains(_sites[t].ILOffset) || (s == t && Evidence(s, first) == CallEvidence.Inlined && Evidence(t, second) == CallEvidence.Inlined))
                    allowed.Add((s, t));
            }
        }
        return allowed;
    }

    private AwaitMatch? ByOrder(int index)
    {
        int[] together = [.. Together(index)];
        int[] sites = [.. _possible[index].Order()];
        return _marks[index].Count == 0 ? null : Nth(index, together, sites) ?? Nth(index, WithSameMarks(index), [.. InRegions(index)]);
    }

    private int[] WithSameMarks(int index) => [.. Enumerable.Range(0, _awaits.Count)
        .Where(i => _marks[i].SequenceEqual(_marks[index])).OrderBy(i => _awaits[i].Offset)];

    // The optimiser places the two arms of a condition in either order (measured: half of them reversed), the quick compiler in
    // IL order. If entries are out of order, the optimiser was at work, and the best guess is marked as such.
    private AwaitMatch? Nth(int index, int[] awaits, int[] sites)
        => awaits.Length == sites.Length && awaits.Zip(sites).All(p => _possible[p.First].Contains(p.Second))
            ? new(_sites[sites[Array.IndexOf(awaits, index)]], _isInOrder ? Exactness.Order : Exactness.Approximate) : null;
}

/// <summary>An IL await, and how certain it is that a native suspension point is this one.</summary>
internal readonly record struct AwaitMatch(AwaitSite? Site, Exactness Exactness);
