using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Dump.Dap.Session;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

public sealed class SourceTests
{
    [Theory]
    [InlineData("/src/shop/Orders.cs", "/home/me/shop/Orders.cs")]
    [InlineData("/src/shop/deep/er/Orders.cs", "/elsewhere/er/Orders.cs")]
    [InlineData("/src/shopping/Orders.cs", "/src/shopping/Orders.cs")]
    [InlineData("/src/shop/Exactly.cs", "/one/File.cs")]
    [InlineData(@"C:\build\Orders.cs", "/home/me/win/Orders.cs")]
    [InlineData(@"c:\BUILD\sub\Orders.cs", "/home/me/win/sub/Orders.cs")]
    [InlineData("/_/src/Orders.cs", "/_/src/Orders.cs")]
    public void A_path_is_mapped_by_the_longest_beginning_that_is_known(string path, string mapped)
    {
        var map = new SourceMap([("/src/shop", "/home/me/shop/"), ("/src/shop/deep/", "/elsewhere"), ("/src/shop/Exactly.cs", "/one/File.cs"), (@"C:\build\", "/home/me/win")]);
        Assert.Equal(mapped, map.Apply(path).Replace('\\', '/'));
    }

    [Fact]
    public void An_existing_file_is_named_by_its_path()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.PathOf("Orders.cs"), "code");
        using DapClient client = DapClient.Stopped(Stack("/build/src/Orders.cs"), new { dumpPath = "x", sourceFileMap = new Dictionary<string, string> { ["/build/src"] = folder.Path } });
        JsonElement frame = client.Frames(1)[1];
        Assert.Equal(folder.PathOf("Orders.cs"), frame.GetProperty("source").GetProperty("path").GetString());
        Assert.False(frame.GetProperty("source").TryGetProperty("sourceReference", out _));
        Assert.Equal((42, 1), (frame.GetProperty("line").GetInt32(), frame.GetProperty("column").GetInt32()));
        JsonElement place = client.Call("async2/locate", new { stack = "s1", frame = 0 });
        Assert.Equal(frame.GetProperty("source").GetRawText(), place.GetProperty("source").GetRawText());
        Assert.Equal(42, place.GetProperty("line").GetInt32());
    }

    [Fact]
    public void Without_a_file_a_generated_text_shows_known_facts_at_the_same_line()
    {
        using DapClient client = DapClient.Stopped(Stack("/build/src/Orders.cs"), new { dumpPath = "x", sourceFileMap = new { build = "/nowhere" } });
        JsonElement frame = client.Frames(1)[1], source = frame.GetProperty("source");
        Assert.False(source.TryGetProperty("path", out _));
        Assert.Equal(42, frame.GetProperty("line").GetInt32());
        string text = client.Call("source", new { source, sourceReference = source.GetProperty("sourceReference").GetInt32() }).GetProperty("content").GetString()!;
        string[] lines = text.Split('\n');
        Assert.Equal("Method    Shop.Orders.PayAsync(int)", lines[41]);
        Assert.All(lines.Take(41), line => Assert.Equal("", line));
        foreach (string part in (string[])["/build/src/Orders.cs:42", "Shop.dll", "exact", "set sourceFileMap"])
            Assert.Contains(part, text, StringComparison.Ordinal);
        Assert.Equal(text, client.Call("source", new { sourceReference = source.GetProperty("sourceReference").GetInt32() }).GetProperty("content").GetString());
        Assert.Equal(source.GetRawText(), client.Frames(1)[1].GetProperty("source").GetRawText());
    }

    [Fact]
    public void A_frame_without_a_line_says_what_would_give_it_one()
    {
        StackView snapshot = new SnapshotDrawing()
            .Stack(1, "Task.Delay", "Shop.Orders.PayAsync(int)", "System.IO.Stream.ReadAsync()")
            .WithFrame(0, f => f with { ILOffset = 0x1c })
            .WithFrame(1, f => f with { IsFramework = true }).Snapshot();
        using DapClient client = DapClient.Stopped(snapshot);
        JsonElement[] frames = client.Frames(1);
        string own = Text(client, frames[1]), framework = Text(client, frames[2]);
        Assert.Equal(1, frames[1].GetProperty("line").GetInt32());
        Assert.Contains("IL_001c", own, StringComparison.Ordinal);
        Assert.Contains("No PDB of Shop.dll was found: set symbolPath", own, StringComparison.Ordinal);
        Assert.Contains("code of .NET", framework, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("relative/Orders.cs")]
    [InlineData("")]
    [InlineData("//server/share/Orders.cs")]
    [InlineData("/tmp")]
    public void A_path_that_is_not_a_source_file_here_is_not_opened(string path)
    {
        using DapClient client = DapClient.Stopped(Stack(path));
        JsonElement source = client.Frames(1)[1].GetProperty("source");
        Assert.False(source.TryGetProperty("path", out _), source.ToString());
    }

    [Fact]
    public void An_impossible_line_number_does_not_create_endless_text()
    {
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Stack(1, "x", "Shop.A() | /src/A.cs:16707566").Snapshot());
        JsonElement frame = client.Frames(1)[1];
        Assert.Equal(1, frame.GetProperty("line").GetInt32());
        Assert.InRange(Text(client, frame).Length, 1, 1000);
    }

    [Fact]
    public void A_reference_that_was_never_given_is_an_error()
    {
        using DapClient client = DapClient.Stopped(Stack("/src/A.cs"));
        foreach (int reference in (int[])[0, 7, int.MaxValue])
            Assert.Contains("no such source", client.Fail("source", new { sourceReference = reference }).Text, StringComparison.Ordinal);
        Assert.Contains("sourceReference", client.Fail("source").Text, StringComparison.Ordinal);
        Assert.Contains("no frame 1: s1 has 1 frame", client.Fail("async2/locate", new { stack = "s1", frame = 1 }).Text, StringComparison.Ordinal);
    }

    private static string Text(DapClient client, JsonElement frame)
        => client.Call("source", new { sourceReference = frame.GetProperty("source").GetProperty("sourceReference").GetInt32() }).GetProperty("content").GetString()!;

    private static StackView Stack(string file) => new SnapshotDrawing()
        .Stack(1, StackState.Awaiting, null, "Shop.Orders.PayAsync(int) | /x.cs:42").WithFrame(0, f => f with { File = file }).Snapshot();
}
