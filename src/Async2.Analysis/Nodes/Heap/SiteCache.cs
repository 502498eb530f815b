namespace Async2.Analysis.Nodes.Heap;

/// <summary>The sites that one thread met lately: the table that all threads share is asked only for others.</summary>
internal sealed class SiteCache(SiteTable table)
{
    private const int Size = 256;

    private readonly (Site Site, int Id)[] _known = new (Site, int)[Size];

    public int IdOf(ulong resume, uint state)
    {
        if (resume == 0)
            return SiteTable.Final;
        ref (Site Site, int Id) slot = ref _known[(int)((resume >> 3) + (state * 31)) & (Size - 1)];
        if (slot.Site.Resume != resume || slot.Site.State != state)
            slot = (new(resume, state), table.IdOf(new(resume, state)));
        return slot.Id;
    }
}
