using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>
/// The IL that the code after a debug info entry can belong to: everything that can run after it without passing another entry. It is
/// not simply the IL up to the next entry, because the JIT drops entries of code that it folded into other code: after
/// <c>if (x) return;</c> there may be one entry for the return and none for what follows.
/// </summary>
internal sealed class ILRegions
{
    private readonly Dictionary<int, HashSet<int>> _byMark = [];
    private readonly ILFlow _il;
    private readonly int[] _marks;

    public ILRegions(ILMappingEntry[] bounds, ILFlow il)
    {
        _il = il;
        _marks = [.. bounds.Where(b => b.IL >= 0).Select(b => b.IL).Distinct().Order()];
    }

    public bool Contains(int mark, AwaitSite site)
        => _il.IsEmpty ? UpToNext(mark).Contains(site) : Contains(mark, site.CallILOffset) || Contains(mark, site.ILOffset);

    public bool Contains(int mark, int offset)
    {
        if (_il.IsEmpty)
            return UpToNext(mark) is var range && offset >= range.Low && offset < range.High;
        return Of(mark).Contains(offset);
    }

    /// <summary>All IL offsets; without IL, only the entry's.</summary>
    public IReadOnlySet<int> Of(int mark)
    {
        if (!_byMark.TryGetValue(mark, out HashSet<int>? region))
        {
            _byMark[mark] = region = _il.After(mark, next => Array.BinarySearch(_marks, next) < 0);
            region.Add(mark);
        }
        return region;
    }

    private ILRange UpToNext(int mark)
    {
        int at = Array.BinarySearch(_marks, mark);
        return new ILRange(mark, at + 1 < _marks.Length ? _marks[at + 1] : int.MaxValue);
    }
}
