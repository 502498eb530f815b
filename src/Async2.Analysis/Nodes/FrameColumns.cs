using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Nodes;

/// <summary>
/// The suspended frames of a target in columns, in address order: continuations and tasklets, 16 bytes for each. Links are
/// positions; what else an object holds is read from the target when somebody asks.
/// </summary>
internal sealed class FrameColumns
{
    /// <summary>In place of a position: the chain ends here.</summary>
    public const int End = -1;

    /// <summary>In place of a position: the link leads to no frame.</summary>
    public const int Lost = -2;

    private readonly ulong[] _addresses;
    private readonly int[] _next;
    private readonly int[] _sites;
    private readonly Dictionary<int, ulong> _lost = [];
    private readonly Func<ulong, (ulong Data, ulong GCData)> _saved;

    private FrameColumns(ulong[] addresses, int[] next, int[] sites, SiteTable table, Func<ulong, (ulong Data, ulong GCData)> saved)
    {
        _addresses = addresses;
        _next = next;
        _sites = sites;
        _saved = saved;
        Sites = table;
    }

    /// <summary>Without what only the target knows.</summary>
    public FrameLinks Links => new(_addresses, _next, _sites);

    public int Count => _addresses.Length;

    /// <summary>The places where they stand.</summary>
    public SiteTable Sites { get; }

    /// <summary>Puts the rows of segments one behind the other.</summary>
    /// <param name="rows">By address; their columns are taken.</param>
    /// <param name="sites">Where they stand.</param>
    /// <param name="saved">Reads Data and GCData of a continuation.</param>
    public static FrameColumns Join(IReadOnlyList<FrameRows> rows, SiteTable sites, Func<ulong, (ulong Data, ulong GCData)> saved)
    {
        ulong[] addresses = ColumnPart<ulong>.Join(rows, r => r.Continuations), far = ColumnPart<ulong>.Join(rows, r => r.Far);
        int[] links = ColumnPart<int>.Join(rows, r => r.Links), siteIds = ColumnPart<int>.Join(rows, r => r.Sites);
        // Native memory lies between segments, and segments of a damaged heap may overlap.
        if (ColumnOrder.Of(addresses) is { } order)
            return Ordered(order.Apply(addresses), order.Apply(LinkColumn.AddressesOf(addresses, links, far)), order.Apply(siteIds), sites, saved);
        var columns = new FrameColumns(addresses, links, siteIds, sites, saved);
        columns.Link(far);
        return columns;
    }

    public static FrameColumns Of(IReadOnlyCollection<ContinuationRow> rows)
    {
        var sites = new SiteTable();
        ContinuationRow[] ordered = [.. rows.OrderBy(r => r.Address)];
        var saved = ordered.ToDictionary(r => r.Address, r => (r.Data, r.GCData));
        return Ordered(
            [.. ordered.Select(r => r.Address)], [.. ordered.Select(r => r.Next)], [.. ordered.Select(r => sites.IdOf(r.Site))],
            sites, address => saved.GetValueOrDefault(address));
    }

    private static FrameColumns Ordered(ulong[] addresses, ulong[] next, int[] siteIds, SiteTable sites, Func<ulong, (ulong Data, ulong GCData)> saved)
    {
        var links = GC.AllocateUninitializedArray<int>(addresses.Length);
        for (int i = 0; i < links.Length; i++)
            links[i] = next[i] == 0 ? LinkColumn.Nowhere : LinkColumn.Far;
        var columns = new FrameColumns(addresses, links, siteIds, sites, saved);
        columns.Link(Array.FindAll(next, address => address != 0));
        return columns;
    }

    public ulong AddressOf(int position) => _addresses[position];

    /// <summary>Position of the caller, or <see cref="End"/>, or <see cref="Lost"/>.</summary>
    public int Next(int position) => _next[position];

    /// <summary>Where a link that is <see cref="Lost"/> leads to.</summary>
    public ulong LostNext(int position) => _lost.GetValueOrDefault(position);

    /// <summary>Number of its place.</summary>
    public int SiteOf(int position) => _sites[position];

    /// <summary>It ends a chain and has no frame.</summary>
    public bool IsFinal(int position) => _sites[position] is SiteTable.Final or SiteTable.Blank;

    /// <summary>It ends a chain and has no fields set, unlike any continuation of a program.</summary>
    public bool IsBlank(int position) => _sites[position] == SiteTable.Blank;

    /// <summary>Data and GCData.</summary>
    public (ulong Data, ulong GCData) SavedOf(int position) => _saved(_addresses[position]);

    /// <summary>The same of a frame by its address.</summary>
    public (ulong Data, ulong GCData) SavedAt(ulong address) => _saved(address);

    /// <summary>All fields.</summary>
    public ContinuationRow RowOf(int position)
    {
        Site site = Sites[_sites[position]];
        (ulong data, ulong gcData) = SavedOf(position);
        int next = _next[position];
        return new(_addresses[position], next >= 0 ? _addresses[next] : LostNext(position), site, data, gcData);
    }

    /// <summary>Position of the continuation at an address; -1 if there is none.</summary>
    public int Find(ulong address)
    {
        int found = Array.BinarySearch(_addresses, address);
        return found < 0 ? -1 : found;
    }

    /// <summary>Whether two frames stand at the same place; there may be no such frames.</summary>
    public bool AreAtOnePlace(int position, int other)
        => (uint)position < (uint)_sites.Length && (uint)other < (uint)_sites.Length && _sites[position] == _sites[other];

    /// <summary>Whether frames in a row stand at the same places as others, and lead to each other as those do: none of them to where nothing is.</summary>
    /// <param name="position">The first of some that lead to frames.</param>
    /// <param name="other">The first of the others.</param>
    /// <param name="count">How many.</param>
    public bool AreAlike(int position, int other, int count)
    {
        if (other < 0 || other > _sites.Length - count || !_sites.AsSpan(position, count).SequenceEqual(_sites.AsSpan(other, count)))
            return false;
        int distance = other - position, i = 0;
        ref int known = ref _next[position], asked = ref _next[other];
        var distances = Vector128.Create(distance);
        for (; i <= count - Vector128<int>.Count; i += Vector128<int>.Count)
        {
            if (Vector128.LoadUnsafe(ref asked, (nuint)i) - distances != Vector128.LoadUnsafe(ref known, (nuint)i))
                return false;
        }
        for (; i < count; i++)
        {
            if (Unsafe.Add(ref asked, i) - distance != Unsafe.Add(ref known, i))
                return false;
        }
        return true;
    }

    /// <summary>Whether a frame is at an address; there may be no such frame.</summary>
    public bool IsAt(int position, ulong address) => (uint)position < (uint)_addresses.Length && _addresses[position] == address;

    // Makes positions of links. A link that leads farther has mostly the same distance as the last other one.
    private void Link(ulong[] far)
    {
        int stride = 1, kept = 0;
        for (int i = 0; i < _next.Length; i++)
        {
            if (_next[i] != LinkColumn.Far)
            {
                _next[i] = _next[i] == LinkColumn.Following ? i + 1 : End;
                continue;
            }
            ulong address = far[kept++];
            int found = IsAt(i + stride, address) ? i + stride : IsAt(i + 1, address) ? i + 1 : IsAt(i - 1, address) ? i - 1 : -1;
            if (found < 0)
            {
                found = Find(address);
                stride = found < 0 ? stride : found - i;
            }
            _next[i] = found < 0 ? Lost : found;
            if (found < 0)
                _lost[i] = address;
        }
    }
}

/// <summary>One suspended frame, with all that its object says.</summary>
internal readonly record struct ContinuationRow(ulong Address, ulong Next, Site Site, ulong Data, ulong GCData);

/// <summary>Suspended frames as they are found, in a segment of the heap or elsewhere: columns, in address order, each in a few parts.</summary>
internal record FrameRows
{
    /// <summary>Where they begin.</summary>
    public ulong FirstAddress { get; init; }

    /// <summary>Addresses of the frames.</summary>
    public ColumnPart<ulong>[] Continuations { get; init; } = [];

    /// <summary>Where they lead to, as a <see cref="LinkColumn"/> says.</summary>
    public ColumnPart<int>[] Links { get; init; } = [];

    /// <summary>Addresses to which those lead that lead farther.</summary>
    public ColumnPart<ulong>[] Far { get; init; } = [];

    /// <summary>Numbers of their sites.</summary>
    public ColumnPart<int>[] Sites { get; init; } = [];
}

/// <summary>Numbers for the sites of suspended frames: a million frames have a few thousand sites. Thread-safe.</summary>
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

/// <summary>A cache of the sites that one thread used last, in front of the table that all threads share.</summary>
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
