using System.Globalization;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

public sealed class CultureTests
{
    /// <summary>Made by hand, not by name: the test program runs without culture data on purpose.</summary>
    private static CultureInfo Culture(string decimalPoint, string group, string minus)
    {
        var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        culture.NumberFormat.NumberDecimalSeparator = decimalPoint;
        culture.NumberFormat.NumberGroupSeparator = group;
        culture.NumberFormat.NegativeSign = minus;
        return culture;
    }

    [Theory]
    [InlineData(",", ".", "-")]
    [InlineData(",", "\u00a0", "\u2212")]
    [InlineData("'", "", "~")]
    public void Every_culture_gets_the_same_bytes(string decimalPoint, string group, string minus)
    {
        SnapshotDrawing drawing = Drawings.Shop().Stack(12345, "Task", "A.B() | a.cs:1");
        drawing.Target = drawing.Target with { FreezeMs = 1234.5 };
        StackView snapshot = drawing.Snapshot();
        string text = Rendered.Text(snapshot), json = Rendered.Json(snapshot);
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = Culture(decimalPoint, group, minus);
            Assert.Equal($"1{decimalPoint}5", 1.5.ToString("0.0"));
            Assert.Equal(text, Rendered.Text(snapshot));
            Assert.Equal(json, Rendered.Json(snapshot));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
        Assert.Contains("12,345x", text);
        Assert.Contains("1234.5", json);
    }
}
