using System.IO.Compression;
using System.Text;
using System.Text.Json;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Exports;
using Async2.Dump.Exports.Wire;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>What exports write. tests/e2e/adapter/exports.test.mjs has other programs read it.</summary>
public sealed class ExportTests
{
    private const string Hostile = "A\u001b[2J\"];\r\n`<b>%%&#;\\N\\\u202e\ud800.Run()";

    public static TheoryData<string> Texts => ["ndjson", "collapsed", "speedscope", "dot", "mermaid"];

    [Theory]
    [MemberData(nameof(Texts))]
    public void Names_of_a_target_act_on_nobody(string format)
    {
        StackView clean = View("Shop.PayAsync()", "task"), hostile = View(Hostile, Hostile);
        string text = Text(hostile, format);
        Assert.DoesNotContain(text.EnumerateRunes(), rune => rune.Value != '\n' && (SafeText.IsHostile(rune) || rune == Rune.ReplacementChar));
        Assert.Equal(Lines(Text(clean, format)), Lines(text));
        if (format is "ndjson" or "speedscope")
            Assert.All(text.Trim().Split('\n'), line => JsonDocument.Parse(line));
        if (format is "dot")
            Assert.All(text.Split('\n'), line => Assert.Equal(0, line.Replace("\\\\", "", StringComparison.Ordinal).Replace("\\\"", "", StringComparison.Ordinal).Count(c => c == '"') % 2));
        // Nothing but its own brackets, and numbers for the rest.
        if (format is "mermaid")
            Assert.All(text.Split('\n').Where(line => line.Contains('"', StringComparison.Ordinal)), line => Assert.Matches("""^  n\d+( [-.]+>\||\[)"([\w .,:/()-]|<br/>|#\d+;)*"(\]|\| n\d+)$""", line));
        // One frame, what it waits for, and the count.
        if (format is "collapsed")
            Assert.Equal(2, text.Split('\n')[0].Split(';').Length);

        static int Lines(string text) => text.Count(c => c == '\n');
    }

    [Fact]
    public void A_profile_has_each_text_once_and_labels_as_they_are()
    {
        using var packed = new MemoryStream();
        new PprofRenderer().Render(View("Shop.PayAsync(int) | /src/Shop.cs:7", Hostile), new RenderOptions(), packed);
        packed.Position = 0;
        Profile profile = Profile.Parser.ParseFrom(new GZipStream(packed, CompressionMode.Decompress));
        Assert.Equal("", profile.StringTable[0]);
        Assert.Equal(profile.StringTable.Count, profile.StringTable.Distinct().Count());
        Assert.DoesNotContain(profile.StringTable, text => text.EnumerateRunes().Any(rune => SafeText.IsHostile(rune) || rune == Rune.ReplacementChar));
        Sample sample = Assert.Single(profile.Sample);
        Assert.Equal([3], sample.Value);
        Location location = Assert.Single(profile.Location);
        Assert.Equal([location.Id], sample.LocationId);
        Assert.Equal(("Shop.PayAsync(int)", "/src/Shop.cs", 7), (profile.StringTable[(int)profile.Function[0].Name], profile.StringTable[(int)profile.Function[0].Filename], location.Line[0].Line_));
    }

    [Fact]
    public void Of_an_endless_recursion_both_ends_are_there_and_the_rest_is_counted()
    {
        var drawing = new SnapshotDrawing();
        StackView view = drawing.Stack(1, "task", [.. Enumerable.Range(0, 5000).Select(i => $"A.M{i}()")]).Snapshot();
        string[] frames = Text(view, "collapsed").Trim().Split(';');
        Assert.Equal((2002, "A.M4999() Shop.dll:?", "A.M0() Shop.dll:?"), (frames.Length, frames[0], frames[^2]));
        Assert.Contains("... 3,000 frames left out ...", frames);
    }

    [Fact]
    public void A_large_answer_is_drawn_in_part_and_says_so()
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < 130; i++)
            drawing.Stack(1, "task", $"A.M{i}()");
        StackView view = drawing.Snapshot();
        string cut = Text(view, "dot"), whole = Text(view, "dot", new RenderOptions { Limit = 130 });
        Assert.Contains("30 more groups: --limit 130 draws all", cut, StringComparison.Ordinal);
        Assert.DoesNotContain("more group", whole, StringComparison.Ordinal);
        Assert.Contains("The answer is partial", Text(view with { Complete = false }, "mermaid"), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_values_a_row_does_not_name_the_machine()
    {
        StackView view = View("A.Run()", "task");
        view = view with { Target = view.Target with { HostName = "secret-host" } };
        Assert.Contains("secret-host", Text(view, "ndjson"), StringComparison.Ordinal);
        Assert.DoesNotContain("secret-host", Text(view, "ndjson", new RenderOptions { WithoutValues = true }), StringComparison.Ordinal);
    }

    private static StackView View(string method, string wait) => new SnapshotDrawing().Stack(3, wait, method).Snapshot();

    private static string Text(StackView view, string format, RenderOptions? options = null)
    {
        using var output = new MemoryStream();
        Renderers.Find(format)!.Render(view, options ?? new RenderOptions(), output);
        return new UTF8Encoding(false, throwOnInvalidBytes: true).GetString(output.ToArray());
    }
}
