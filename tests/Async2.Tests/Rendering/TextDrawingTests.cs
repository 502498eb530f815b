using Async2.Analysis.Rendering;
using Async2.Tests.Support;

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

    [Fact]
    public void Recursion_is_folded()
        => Approved.Check("Rendering/Approved", "recursion.80.txt", Rendered.Text(Drawings.Recursion(4998).Snapshot(), 80));

    [Fact]
    public void Shop_as_json() => Approved.Check("Rendering/Approved", "shop.json", Rendered.Json(Drawings.Shop().Snapshot()));
}
