using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>
/// The IL that the code behind a mark of the debug info can belong to: what can run after it without passing another mark. It is
/// not simply the IL up to the next mark, because the JIT drops marks of code that it folded into other code: behind
/// <c>if (x) return;</c> there may be one mark for the return and none for what follows.
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

    /// <summary>All IL offsets; where the IL is not known, the mark's only.</summary>
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
