using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>The sites that one thread met lately: the table that all threads share is asked only for others.</summary>
internal sealed class SiteCache(SiteTable table)
{
    private const int Size = 256;

    private readonly (Site Site, int Id)[] _known = new (Site, int)[Size];

    public int IdOf(Site site)
    {
        if (site.IsFinal)
            return SiteTable.Final;
        ref (Site Site, int Id) slot = ref _known[(int)((site.Address >> 3) + (site.State * 31)) & (Size - 1)];
        if (slot.Id == SiteTable.Final || slot.Site.Address != site.Address || slot.Site.State != site.State || slot.Site.Kind != site.Kind)
            slot = (site, table.IdOf(site));
        return slot.Id;
    }
}
