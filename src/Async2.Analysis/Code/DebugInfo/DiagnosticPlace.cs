using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>The await at a place in native code.</summary>
/// <param name="Site">The await; null if IL does not determine it.</param>
/// <param name="ILOffset">From the debug info; null if there is none.</param>
/// <param name="Exactness">Proven only if the JIT recorded the suspension itself.</param>
internal readonly record struct DiagnosticPlace(AwaitSite? Site, int? ILOffset, Exactness Exactness)
{
    /// <param name="bounds">Of the body, in native order.</param>
    /// <param name="native">The place.</param>
    /// <param name="sites">Awaits of the method, in IL order.</param>
    public static DiagnosticPlace Of(ILMappingEntry[] bounds, uint native, IReadOnlyList<AwaitSite> sites)
    {
        if (Covering(bounds, native) is not { } covering)
            return sites.Count == 1 ? new(sites[0], sites[0].ILOffset, Exactness.Exact) : default;
        bool isMarked = (covering.Source & ILMappingSource.Async) != 0;
        foreach (AwaitSite site in sites)
        {
            if (isMarked && (site.ILOffset == covering.IL || site.CalleeOffset == covering.IL))
                return new(site, covering.IL, Exactness.Exact);
        }
        ILRange range = Range(bounds, covering.IL);
        AwaitSite? first = null;
        int count = 0;
        foreach (AwaitSite site in sites)
        {
            if (range.Contains(site))
            {
                first ??= site;
                count++;
            }
        }
        // If bounds have sources, code without a suspension entry cannot be attributed.
        bool isSure = count == 1 && (isMarked || !HasSources(bounds));
        return new(first, covering.IL, isSure ? Exactness.Exact : Exactness.Approximate);
    }

    // The last bound with IL at or before the place; of several at one offset the suspension's. Call instructions say nothing about
    // the code after them.
    private static ILMappingEntry? Covering(ILMappingEntry[] bounds, uint native)
    {
        ILMappingEntry? covering = null;
        foreach (ILMappingEntry bound in bounds)
        {
            if (bound.Native > native)
                break;
            if (bound.IL < 0 || (bound.Source & ILMappingSource.CallInstruction) != 0)
                continue;
            bool isLess = covering is not null && covering.Native == bound.Native
                && (covering.Source & ILMappingSource.Async) != 0 && (bound.Source & ILMappingSource.Async) == 0;
            if (!isLess)
                covering = bound;
        }
        return covering;
    }

    private static ILRange Range(ILMappingEntry[] bounds, int low)
    {
        int high = int.MaxValue;
        foreach (ILMappingEntry bound in bounds)
        {
            if (bound.IL > low && (bound.Source & ILMappingSource.CallInstruction) == 0)
                high = Math.Min(high, bound.IL);
        }
        return new(low, high);
    }

    private static bool HasSources(ILMappingEntry[] bounds)
    {
        foreach (ILMappingEntry bound in bounds)
        {
            if (bound.Source != ILMappingSource.None)
                return true;
        }
        return false;
    }
}
