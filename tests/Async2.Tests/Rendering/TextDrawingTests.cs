using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>Whole answers, approved by eye.</summary>
public sealed class TextDrawingTests
{
    [Theory]
    [InlineData("shop.piped.txt", null, false, false)]
    [InlineData("shop.80.txt", 80, false, false)]
    [InlineData("shop.120.txt", 120, false, false)]
    [InlineData("shop.40.txt", 40, false, false)]
    [InlineData("shop.80.ascii.txt", 80, true, false)]
    [InlineData("shop.80.leaf-first.txt", 80, false, true)]
    public void Shop(string file, int? width, bool ascii, bool leafFirst)
        => Approved.Check("Rendering/Approved", file, Rendered.Text(Drawings.Shop().Snapshot(), width, ascii, new RenderOptions { LeafFirst = leafFirst }));

    [Theory]
    [InlineData("jam.60.txt", 60, false, false)]
    [InlineData("jam.80.txt", 80, false, false)]
    [InlineData("jam.120.txt", 120, false, false)]
    [InlineData("jam.80.ascii.txt", 80, true, false)]
    [InlineData("jam.80.leaf-first.txt", 80, false, true)]
    [InlineData("jam.80.leaf-first.ascii.txt", 80, true, true)]
    public void A_jam_with_locals_and_a_deadlock(string file, int width, bool ascii, bool leafFirst)
        => Approved.Check("Rendering/Approved", file, Rendered.Text(JamDrawing.Jam().Snapshot(), width, ascii, new RenderOptions { LeafFirst = leafFirst }));

    [Theory]
    [InlineData("sections.80.txt", 80, null)]
    [InlineData("sections.60.limit.txt", 60, 4)]
    public void Sections(string file, int width, int? limit)
        => Approved.Check("Rendering/Approved", file, Rendered.Text(
            Drawings.Busy().Snapshot(), width, options: new RenderOptions { GroupBy = StackGrouping.WaitingOn, Limit = limit }));

    [Fact]
    public void Sections_as_json()
        => Approved.Check("Rendering/Approved", "sections.json", Rendered.Json(
            JamDrawing.Jam().Of(410, 9, "--without Warehouse").Snapshot(), new RenderOptions { GroupBy = StackGrouping.State, Limit = 4 }));

    [Fact]
    public void Recursion_is_folded()
        => Approved.Check("Rendering/Approved", "recursion.80.txt", Rendered.Text(Drawings.Recursion(4998).Snapshot(), 80));

    [Fact]
    public void Shop_as_json() => Approved.Check("Rendering/Approved", "shop.json", Rendered.Json(Drawings.Shop().Snapshot()));
}
