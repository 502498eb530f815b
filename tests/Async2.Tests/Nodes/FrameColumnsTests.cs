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
            new() { Continuations = [ColumnPart<ulong>.Of(0x10, 0x40)], Next = [ColumnPart<ulong>.Of(0x40), ColumnPart<ulong>.Of(0x20)], Sites = [ColumnPart<int>.Of(site, site)] },
            new() { Continuations = [ColumnPart<ulong>.Of(0x20)], Next = [ColumnPart<ulong>.Of(0)], Sites = [ColumnPart<int>.Of(SiteTable.Final)] },
        ];
        FrameColumns columns = FrameColumns.Join(rows, sites, _ => default);
        Assert.Equal([0x10ul, 0x20, 0x40], Enumerable.Range(0, 3).Select(columns.AddressOf));
        Assert.Equal([2, FrameColumns.End, 1], Enumerable.Range(0, 3).Select(columns.Next));
        Assert.True(columns.IsFinal(1));
    }

    private static FrameColumns Columns(params (ulong Address, ulong Next)[] links)
        => FrameColumns.Of([.. links.Select(l => new ContinuationRow(l.Address, l.Next, new(1, 0), 0, 0))]);
}
