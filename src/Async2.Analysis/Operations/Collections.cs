using Async2.Analysis.Model;

namespace Async2.Analysis.Operations;

/// <summary>Whether garbage was collected between two models of one process: no counter of the runtime can be read, but objects and their generations tell.</summary>
internal static class Collections
{
    /// <returns>Null where nothing tells.</returns>
    public static bool? Between(AsyncModel before, AsyncModel after)
    {
        // Between collections the youngest generation only grows.
        GenerationRange[] young = [.. after.Facts.Generations.Where(range => range.Generation == 0)];
        foreach (GenerationRange range in before.Facts.Generations)
        {
            if (range.Generation == 0 && !Array.Exists(young, later => later.Start <= range.Start && later.End >= range.End))
                return true;
        }
        HashSet<ulong> known = [.. after.Nodes.Addresses];
        bool? collected = null;
        foreach (ulong address in before.Nodes.Addresses)
        {
            if (address == 0 || before.Graph.GenerationOf(address) != 0 || !known.Contains(address))
                continue;
            // What survives a collection is older then.
            if (after.Graph.GenerationOf(address) > 0)
                return true;
            collected = false;
        }
        return collected;
    }
}
