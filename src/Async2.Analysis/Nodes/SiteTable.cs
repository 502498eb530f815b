using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>Numbers for the sites of suspended frames: a million stand at a few thousand places. Any number of threads may ask.</summary>
internal sealed class SiteTable
{
    /// <summary>Number of all final continuations.</summary>
    public const int Final = 0;

    /// <summary>Number of what looks like a final continuation and has no room for a result: no chain of .NET 10 ends so.</summary>
    public const int Blank = 1;

    private readonly Dictionary<Site, int> _ids = [];
    private readonly List<Site> _sites = [default, default];
    private readonly object _asking = new();

    public int Count => _sites.Count;

    public Site this[int id] => _sites[id];

    public int IdOf(Site site)
    {
        if (site.IsFinal)
            return Final;
        lock (_asking)
        {
            if (!_ids.TryGetValue(site, out int id))
            {
                _ids[site] = id = _sites.Count;
                _sites.Add(site);
            }
            return id;
        }
    }

    /// <summary>The stubs that resume continuations, each once.</summary>
    public HashSet<ulong> Resumes
    {
        get
        {
            var resumes = new HashSet<ulong>();
            for (int id = Blank + 1; id < _sites.Count; id++)
            {
                if (_sites[id].Kind == SiteKind.ResumeStub)
                    resumes.Add(_sites[id].Address);
            }
            return resumes;
        }
    }
}

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
