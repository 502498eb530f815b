using Async2.Analysis.Rendering;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

public sealed class LimitAndProblemTests
{
    [Fact]
    public void A_limit_counts_the_omitted_stacks()
    {
        string text = Rendered.Text(Drawings.Shop().Snapshot(), options: new RenderOptions { Limit = 1 });
        Assert.Contains("2 more groups of 12 stacks not shown (--limit)", text);
        Assert.DoesNotContain("PackAsync", text);
        Assert.StartsWith("412 stacks in 3 groups", text);
    }

    [Fact]
    public void A_limit_that_omits_nothing_prints_nothing()
        => Assert.DoesNotContain("--limit", Rendered.Text(Drawings.Shop().Snapshot(), options: new RenderOptions { Limit = 3 }));

    [Theory]
    [InlineData(0, true, "0 problems")]
    [InlineData(1, true, "1 problem, all stacks found")]
    [InlineData(2, true, "2 problems, all stacks found")]
    [InlineData(0, false, "0 problems, answer is partial")]
    [InlineData(1234, false, "1,234 problems, answer is partial")]
    public void The_last_line_counts_the_problems(int count, bool complete, string expected)
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, "Task", "A.B()");
        for (int i = 0; i < count; i++)
            drawing.Problem("A2D1001", $"Problem {i}.");
        string text = Rendered.Text((complete ? drawing : drawing.Incomplete()).Snapshot());
        Assert.EndsWith("\n" + expected + "\n", text);
    }

    [Fact]
    public void Many_problems_of_a_kind_are_counted_and_verbose_shows_all()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Problem("A2D2003", "No symbols for a.dll.");
        for (int i = 0; i < 9; i++)
            drawing.Problem("A2D1001", $"Unreadable {i}.");
        string text = Rendered.Text(drawing.Snapshot());
        Assert.Contains("9x A2D1001\n  Unreadable 0.\n  Unreadable 1.\n  Unreadable 2.\n  and 6 more (--verbose shows them)\n1x A2D2003  No symbols", text);
        Assert.Contains("Unreadable 8.", Rendered.Text(drawing.Snapshot(), options: new RenderOptions { Verbose = true }));
    }

    [Fact]
    public void The_legend_explains_only_marks_that_were_used()
    {
        string text = Rendered.Text(new SnapshotDrawing().Stack(1, "Task", "A.B() | a.cs:~3").Snapshot());
        Assert.Contains("a.cs:~3", text);
        Assert.Contains("~ = the most likely of several places", text);
        Assert.DoesNotContain("[elided] =", text);
        Assert.DoesNotContain(" = ", Rendered.Text(new SnapshotDrawing().Stack(1, "Task", "A.B() | a.cs:3").Snapshot()));
    }
}
