using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>The IL offsets that a native address can stand for: from <paramref name="Low"/> up to but not including <paramref name="High"/>.</summary>
internal readonly record struct ILRange(int Low, int High)
{
    /// <summary>
    /// The range of the bound that covers a native offset; null if the debug info has none. In optimised code the JIT maps
    /// the saving of contexts before an await to no IL, so such entries are skipped.
    /// </summary>
    public static ILRange? Covering(ReadOnlySpan<ILMappingEntry> bounds, uint native)
    {
        int low = -1;
        foreach (ILMappingEntry bound in bounds)
        {
            if (bound.Native > native)
                break;
            if (bound.IL >= 0)
                low = bound.IL;
        }
        if (low < 0)
            return null;
        int high = int.MaxValue;
        foreach (ILMappingEntry bound in bounds)
        {
            if (bound.IL > low)
                high = Math.Min(high, bound.IL);
        }
        return new ILRange(low, high);
    }

    /// <summary>Debug info may refer to any point from the callee's call to the await itself.</summary>
    public bool Contains(AwaitSite site) => (site.CalleeOffset ?? site.ILOffset) < High && site.ILOffset >= Low;
}
