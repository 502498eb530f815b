using System.Text;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Terminals;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>Names of a target may hold anything; none of it may act on a terminal.</summary>
public sealed class HostileTextTests
{
    private const string Hostile = "A\u001b[2J.B\r\nC\u0007\u009b31m\u202e\u2066\u200b\ufeff\u2028\ud800\u00ad\ue000\udb40\udc41\0.Run()";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void No_text_from_the_target_reaches_the_output_unescaped(bool ascii)
    {
        string text = Rendered.Text(Everywhere(), width: 80, ascii) + Rendered.Text(Everywhere(), width: 80, ascii, new RenderOptions { GroupBy = StackGrouping.Leaf });
        Assert.DoesNotContain(text, c => c != '\n' && SafeText.IsHostile(new Rune(char.IsSurrogate(c) ? '\u0001' : c)));
        Assert.Contains("\\u001b[2J", text);
        Assert.Contains("\\u202e", text);
        if (ascii)
            Assert.All(text, c => Assert.True(c < 0x7f));
    }

    [Fact]
    public void Labels_cannot_act_on_a_terminal_or_forge_lines()
    {
        StackView view = new SnapshotDrawing().Stack(1, "Task", "A.Run()")
            .With(stack => stack with { Labels = [new(LabelNames.Request, "GET /" + Hostile + new string('a', 5000), LabelSource.Connection), new("A." + Hostile, Hostile, LabelSource.Context)] }).Snapshot();
        string text = Rendered.Text(view, ascii: true, options: new RenderOptions { GroupBy = new GroupKey(StackGrouping.Label, LabelNames.Request) });
        Assert.All(text, c => Assert.True(c is '\n' or >= ' ' and < '\u007f'));
        Assert.Contains("\\u001b[2J", text);
        string clean = Rendered.Text(new SnapshotDrawing().Stack(1, "Task", "A.Run()").With(stack => stack with { Labels = [new(LabelNames.Request, "GET /", LabelSource.Connection)] }).Snapshot(), width: 100_000);
        Assert.Equal(clean.Count(c => c == '\n'), Rendered.Text(view, width: 100_000).Count(c => c == '\n'));
        Assert.DoesNotContain('\u001b', Rendered.Json(view));
    }

    [Fact]
    public void Lines_cannot_be_forged()
    {
        string clean = Rendered.Text(new SnapshotDrawing().Stack(1, "Task", "A.Run()").Snapshot());
        string forged = Rendered.Text(new SnapshotDrawing().Stack(1, "Task", "A.Run()\n0 problems").Snapshot());
        Assert.Equal(clean.Count(c => c == '\n'), forged.Count(c => c == '\n'));
    }

    [Fact]
    public void A_local_cannot_forge_lines_or_grow_wider_than_the_terminal()
    {
        string text = Rendered.Text(new SnapshotDrawing().Stack(1, "Task", "A.Run()")
            .Locals(0, "int a = 1\n0 problems", "int \u6f22\u5b57 = \u001b[2J" + new string('\u6f22', 500)).Snapshot(), width: 60);
        Assert.Contains("a = 1\\u000a0 problems  (int)", text);
        Assert.All(text.Split('\n'), line => Assert.True(TextColumns.Of(line) <= 60, line));
    }

    [Fact]
    public void The_coloured_sink_writes_only_its_own_escapes()
    {
        using var writer = new StringWriter();
        var sink = new AnsiText(writer, new TextSurface(80), SourceLinks.Of(_ => null));
        sink.Write(TextRole.File, Hostile, "/src/\u001b]8;;http:evil\u001b\\x.cs");
        string own = writer.ToString();
        Assert.StartsWith("\u001b]8;;file:///src/%1B", own);
        foreach (string allowed in new[] { "\u001b]8;;", "\u001b\\", "\u001b[36m", "\u001b[0m" })
            own = own.Replace(allowed, "");
        Assert.DoesNotContain('\u001b', own);
        Assert.DoesNotContain('\u009b', own);
    }

    [Fact]
    public void Json_escapes_it_and_keeps_its_value()
    {
        string json = Rendered.Json(Everywhere(), new RenderOptions { GroupBy = StackGrouping.Leaf });
        Assert.DoesNotContain(json, c => c != '\n' && !char.IsSurrogate(c) && SafeText.IsHostile(new Rune(c)));
        using JsonDocument document = JsonDocument.Parse(json);
        string method = document.RootElement.GetProperty("stacks")[0].GetProperty("frames")[0].GetProperty("method").GetString()!;
        Assert.Equal(Hostile.Replace("\ud800", "\ufffd"), method);
    }

    [Fact]
    public void Escaping_twice_changes_nothing()
    {
        string once = SafeText.Escape(Hostile);
        Assert.Equal(once, SafeText.Escape(once));
        Assert.Equal("plain <text>(int)", SafeText.Escape("plain <text>(int)"));
        Assert.Equal("caf\u00e9", SafeText.Escape("caf\u00e9"));
        Assert.Equal("caf\\u00e9 \\U0001f600", SafeText.Escape("caf\u00e9 \U0001f600", ascii: true));
        Assert.Equal("Get(...)", SafeText.Escape("Get(\u2026)", ascii: true));
    }

    private static StackView Everywhere()
    {
        var drawing = new SnapshotDrawing
        {
            Target = new TargetFacts { Kind = TargetKind.Dump, Path = Hostile, Os = Hostile, Architecture = Hostile, Runtime = Hostile, Families = [Hostile] },
        };
        LogicalFrame frame = SnapshotDrawing.Frame(Hostile) with { File = "/src/" + Hostile, Line = 3, Module = Hostile, Type = Hostile, Name = Hostile };
        return drawing
            .Stack(2, StackState.Awaiting, new WaitingOn(WaitKind.Custom, Hostile, 1, Hostile, Hostile), "X.Y()")
            .With(stack => stack with
            {
                Frames = [frame with { Locals = [new LocalValue(Hostile, Hostile, Hostile)] }, frame with { File = null }],
                Id = Hostile,
                AwaitedBy = [Hostile],
                WaitingOn = stack.WaitingOn! with { Detail = Hostile, Pending = [Hostile] },
            })
            .Of(3, 2, Hostile)
            .Finding(Severity.Error, Hostile, Hostile, Hostile)
            .Problem(Hostile, Hostile)
            .Snapshot();
    }
}
