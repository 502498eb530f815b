using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Text;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

public sealed class WidthTests
{
    [Theory]
    [InlineData(40)]
    [InlineData(80)]
    [InlineData(120)]
    public void No_line_is_wider_than_the_terminal(int width)
    {
        string text = Rendered.Text(Drawings.Shop().Snapshot(), width);
        Assert.All(text.Split('\n'), line => Assert.True(TextColumns.Of(line) <= width, $"{TextColumns.Of(line)}: {line}"));
    }

    [Theory]
    [InlineData(50)]
    [InlineData(60)]
    [InlineData(80)]
    public void No_line_is_wider_with_locals_cycles_and_sections(int width)
    {
        foreach (bool leafFirst in new[] { false, true })
        {
            string jam = Rendered.Text(JamDrawing.Jam().Of(500, 20, "--method 'a long pattern (of|some) words that nobody cut'").Snapshot(), width, options: new RenderOptions { LeafFirst = leafFirst });
            string busy = Rendered.Text(Drawings.Busy().Snapshot(), width, options: new RenderOptions { LeafFirst = leafFirst, GroupBy = StackGrouping.State });
            Assert.All((jam + busy).Split('\n'), line => Assert.True(TextColumns.Of(line) <= width, $"{TextColumns.Of(line)}: {line}"));
        }
    }

    [Theory]
    [InlineData(20)]
    [InlineData(40)]
    [InlineData(80)]
    public void The_place_is_never_shortened(int width)
    {
        string file = new string('F', 60) + ".cs";
        string text = Rendered.Text(new SnapshotDrawing().Stack(1, "Task", $"{new string('N', 300)}.Type.MethodAsync(int) | /src/{file}:1234").Snapshot(), width);
        Assert.Contains(file + ":1234", text);
    }

    [Fact]
    public void Without_a_terminal_nothing_is_shortened()
    {
        string method = "N" + new string('n', 5000) + ".Type<" + new string('x', 5000) + ">.RunAsync(" + new string('p', 5000) + ")";
        Assert.Contains(method, Rendered.Text(new SnapshotDrawing().Stack(1, "Task", method + " | /src/a.cs:1").Snapshot()));
    }

    [Theory]
    [InlineData(40, "Shop.Orders.PayAsync(int, decimal)")]
    [InlineData(26, "Shop.Orders.PayAsync(\u2026)")]
    [InlineData(20, "Orders.PayAsync(\u2026)")]
    [InlineData(14, "PayAsync(\u2026)")]
    [InlineData(8, "PayAsync")]
    [InlineData(5, "PayA\u2026")]
    public void Parameters_go_first_then_namespace_then_type_and_the_name_last(int columns, string expected)
        => Assert.Equal(expected, Fit("Shop.Orders.PayAsync(int, decimal)", columns));

    [Theory]
    [InlineData("Shop.Cache<System.Collections.Generic.List<A.B>>.GetAsync<C.D>(E.F)", "Shop.Cache<System.Collections.Generic.List<A.B>>.", "GetAsync", "<C.D>(E.F)")]
    [InlineData("Shop.Orders.PayAsync.lambda(int)", "Shop.Orders.", "PayAsync.lambda", "(int)")]
    [InlineData("<unreadable 0x7f00>", "", "<unreadable 0x7f00>", "")]
    [InlineData("Main", "", "Main", "")]
    [InlineData("A.B", "A.", "B", "")]
    [InlineData("A..ctor()", "A.", ".ctor", "()")]
    [InlineData("A<B.C", "", "A<B.C", "")]
    [InlineData("", "", "", "")]
    public void A_method_name_is_split(string method, string prefix, string name, string suffix)
        => Assert.Equal(new MethodText(prefix, name, suffix), MethodText.Split(method));

    [Fact]
    public void Generic_types_keep_their_name_when_the_namespace_goes()
        => Assert.Equal("Cache<B>.GetAsync(\u2026)", Fit("Shop.Deep.Cache<A.B>.GetAsync<C.D>(E.F)", 22));

    [Theory]
    [InlineData(110, "Shop.Web.Core.Connection<A.Deep.Context<B.C>>.RunAsync<D.E.Host>(IApplication<F.Context>)")]
    [InlineData(80, "Shop.Web.Core.Connection<Context<C>>.RunAsync<Host>(IApplication<Context>)")]
    [InlineData(60, "Shop.Web.Core.Connection<Context<C>>.RunAsync(\u2026)")]
    [InlineData(43, "Shop.Web.Core.Connection<\u2026>.RunAsync(\u2026)")]
    [InlineData(38, "Shop\u2026Connection<\u2026>.RunAsync(\u2026)")]
    [InlineData(27, "Connection<\u2026>.RunAsync(\u2026)")]
    public void Type_arguments_go_first_and_the_middle_of_the_namespace_before_its_ends(int columns, string expected)
        => Assert.Equal(expected, Fit("Shop.Web.Core.Connection<A.Deep.Context<B.C>>.RunAsync<D.E.Host>(IApplication<F.Context>)", columns));

    [Fact]
    public void A_long_name_keeps_both_ends()
        => Assert.Equal("HandleRequest\u2026rJson.lambda", Fit("HandleRequestBodyAndCompileRequestDelegateForJson.lambda(object)", 26));

    [Fact]
    public void Wide_characters_count_two_columns_and_combining_ones_none()
    {
        Assert.Equal(4, TextColumns.Of("\u6f22\u5b57"));
        Assert.Equal(1, TextColumns.Of("e\u0301"));
        Assert.Equal("\u6f22", TextColumns.Cut("\u6f22\u5b57", 3));
    }

    private static string Fit(string method, int columns)
    {
        MethodText fit = MethodText.Split(method).Fit(columns, "\u2026");
        return fit.Prefix + fit.Name + fit.Suffix;
    }
}
