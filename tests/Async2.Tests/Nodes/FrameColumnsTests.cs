using Async2.Analysis.Nodes;

namespace Async2.Tests.Nodes;

public sealed class FrameColumnsTests
{
    [Fact]
    public void Links_become_positions_in_both_directions()
    {
        // 0x10 -> 0x30 -> 0x20 -> end; 0x50 -> nowhere; 0x60 -> itself.
        FrameColumns columns = Columns((0x30, 0x20), (0x10, 0x30), (0x20, 0), (0x60, 0x60), (0x50, 0x44));
        Assert.Equal([0x10ul, 0x20, 0x30, 0x50, 0x60], Enumerable.Range(0, columns.Count).Select(columns.AddressOf));
        Assert.Equal([2, FrameColumns.End, 1, FrameColumns.Lost, 4], Enumerable.Range(0, columns.Count).Select(columns.Next));
        Assert.Equal(0x44ul, columns.LostNext(3));
    }

    [Fact]
    public void All_fields_are_read_back()
    {
        ContinuationRow[] rows = [new(0x10, 0x20, new(0x7000, 5), 1, 2), new(0x20, 0x99, new(0x7000, 6), 3, 4), new(0x30, 0, default, 0, 0)];
        FrameColumns columns = FrameColumns.Of(rows);
        Assert.Equal(rows, Enumerable.Range(0, 3).Select(columns.RowOf));
        Assert.Equal([false, false, true], Enumerable.Range(0, 3).Select(columns.IsFinal));
        Assert.Equal([0x7000ul], columns.Sites.Resumes);
    }

    [Fact]
    public void Segments_that_overlap_are_put_in_order()
    {
        var sites = new SiteTable();
        int site = sites.IdOf(new(0x7000, 1));
        FrameRows[] rows =
        [
            Rows([site, site], (0x10, 0x40), (0x40, 0x20)),
            Rows([SiteTable.Final], (0x20, 0)),
        ];
        FrameColumns columns = FrameColumns.Join(rows, sites, _ => default);
        Assert.Equal([0x10ul, 0x20, 0x40], Enumerable.Range(0, 3).Select(columns.AddressOf));
        Assert.Equal([2, FrameColumns.End, 1], Enumerable.Range(0, 3).Select(columns.Next));
        Assert.True(columns.IsFinal(1));
    }

    [Fact]
    public void Links_lead_on_where_segments_follow_each_other()
    {
        var sites = new SiteTable();
        int site = sites.IdOf(new(0x7000, 1));
        // From one segment into the next, back, to the one behind, and to nothing.
        FrameRows[] rows = [Rows([site, site, site], (0x10, 0x20), (0x20, 0x40), (0x30, 0x10)), Rows([site, site], (0x40, 0x50), (0x50, 0x99)), Rows([SiteTable.Final], (0x60, 0))];
        FrameColumns columns = FrameColumns.Join(rows, sites, _ => default);
        Assert.Equal([1, 3, 0, 4, FrameColumns.Lost, FrameColumns.End], Enumerable.Range(0, 6).Select(columns.Next));
        Assert.Equal(0x99ul, columns.LostNext(4));
    }

    [Fact]
    public void Stretches_are_alike_whose_places_and_links_are()
    {
        var sites = new SiteTable();
        int a = sites.IdOf(new(0x7000, 1)), b = sites.IdOf(new(0x7000, 2));
        // Six frames that lead to the one behind, and an end; twice, and once with another place, and once with another link.
        (ulong, ulong)[] links = [.. Enumerable.Range(1, 28).Select(i => ((ulong)i * 16, i % 7 == 0 ? 0 : i == 25 ? 0x10 : (ulong)(i + 1) * 16))];
        int[] places = [.. Enumerable.Range(1, 28).Select(i => i % 7 == 0 ? SiteTable.Final : i == 18 ? b : a)];
        FrameColumns columns = FrameColumns.Join([Rows(places, links)], sites, _ => default);
        Assert.True(columns.AreAlike(0, 7, 6));
        Assert.True(columns.AreAlike(7, 0, 6));
        Assert.False(columns.AreAlike(0, 14, 6));
        Assert.False(columns.AreAlike(0, 21, 6));
        Assert.True(columns.AreAlike(0, 21, 3));
        Assert.False(columns.AreAlike(0, 26, 6));
        Assert.False(columns.AreAlike(0, -1, 6));
        Assert.True(columns.AreAtOnePlace(6, 13));
        Assert.False(columns.AreAtOnePlace(6, 28));
    }

    private static FrameRows Rows(int[] sites, params (ulong Address, ulong Next)[] frames)
    {
        var links = new LinkColumn();
        foreach ((ulong address, ulong next) in frames)
            links.Add(address, next);
        (ColumnPart<int>[] leading, ColumnPart<ulong>[] far) = links.Take();
        return new() { Continuations = [ColumnPart<ulong>.Of([.. frames.Select(frame => frame.Address)])], Links = leading, Far = far, Sites = [ColumnPart<int>.Of(sites)] };
    }

    private static FrameColumns Columns(params (ulong Address, ulong Next)[] links)
        => FrameColumns.Of([.. links.Select(l => new ContinuationRow(l.Address, l.Next, new(1, 0), 0, 0))]);
}
