using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;

namespace Async2.Tests.Nodes;

public sealed class HeapIndexTests
{
    private static readonly ulong[] Addresses = [0x30, 0x10, 0x20, 0x50];

    private readonly HeapIndex _index = new(
        new RuntimeLayout(null, null),
        FrameColumns.Of([.. Addresses.Select(a => new ContinuationRow(a, 0, new(1, 0), 0, 0))]),
        [.. Addresses.Select(a => NodeRow.Chain(a + 8, 0, 0, 0))],
        [], [], complete: true);

    [Fact]
    public void Objects_are_in_address_order_whatever_order_they_came_in()
    {
        Assert.Equal([0x10ul, 0x20, 0x30, 0x50], Enumerable.Range(0, 4).Select(_index.Frames.AddressOf));
        Assert.Equal([0x18ul, 0x28, 0x38, 0x58], _index.Nodes.ToArray().Select(t => t.Address));
    }

    [Fact]
    public void A_continuation_is_found_by_its_address()
    {
        for (int i = 0; i < _index.Frames.Count; i++)
            Assert.Equal(i, _index.FindFrame(_index.Frames.AddressOf(i)));
        foreach (ulong absent in (ulong[])[0, 0x11, 0x18, 0x40, ulong.MaxValue])
            Assert.Equal(-1, _index.FindFrame(absent));
    }

    [Fact]
    public void A_task_is_found_by_its_own_address_only()
    {
        Assert.Equal(2, _index.FindNode(0x38));
        Assert.Equal(-1, _index.FindNode(0x30));
    }
}
