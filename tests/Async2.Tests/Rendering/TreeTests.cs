using System.Text.Json;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Tree;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>The tree that viewers read: docs/dap.md says what is in it.</summary>
public sealed class TreeTests
{
    [Fact]
    public void Stacks_share_the_nodes_of_their_common_callers()
    {
        Reader tree = Read(new SnapshotDrawing()
            .Stack(3, "SemaphoreSlim.WaitAsync, 0 free", "Gate.EnterAsync() | Gate.cs:5", "Shop.PayAsync() | Shop.cs:9", "Program.Main() | Program.cs:2")
            .Stack(2, "Task.Delay", "Shop.RestAsync() | Shop.cs:20", "Shop.PayAsync() | Shop.cs:9", "Program.Main() | Program.cs:2")
            .Snapshot());

        Assert.Equal(["Program.Main()", "Program.Main()/Shop.PayAsync()", "Program.Main()/Shop.PayAsync()/Gate.EnterAsync()", "Program.Main()/Shop.PayAsync()/Shop.RestAsync()"], tree.Nodes);
        Assert.Equal(["s1 3 Program.Main()/Shop.PayAsync()/Gate.EnterAsync()", "s2 2 Program.Main()/Shop.PayAsync()/Shop.RestAsync()"], tree.Stacks);
        Assert.Equal("SemaphoreSlim.WaitAsync", tree.First.GetProperty("stacks")[0].GetProperty("wait").GetProperty("short").GetString());
        Assert.Equal("Gate.cs:5", tree.First.GetProperty("frames")[2].GetProperty("place").GetString());
        Assert.StartsWith("5 stacks suspended in 2 groups", tree.First.GetProperty("head").GetProperty("verdict").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Another_line_of_the_same_method_is_another_node()
        => Assert.Equal(2, Read(new SnapshotDrawing().Stack(1, null, "A.F() | a.cs:1").Stack(1, null, "A.F() | a.cs:2").Snapshot()).Nodes.Count);

    [Fact]
    public void Frames_that_differ_in_what_is_folded_only_are_one_node()
    {
        Reader tree = Read(new SnapshotDrawing()
            .Stack(1, null, "Shop.PayAsync() | Shop.cs:9", "Program.Main() | Program.cs:2").WithFrame(1, f => f with { Folded = 2 })
            .Stack(1, null, "Shop.RestAsync() | Shop.cs:20", "Program.Main() | Program.cs:2").WithFrame(1, f => f with { Folded = 7 })
            .Stack(1, null, "Shop.EndAsync() | Shop.cs:30", "Program.Main() | Program.cs:2")
            .Snapshot());

        Assert.Equal(["Program.Main()", "Program.Main()/Shop.PayAsync()", "Program.Main()/Shop.RestAsync()", "Program.Main()/Shop.EndAsync()"], tree.Nodes);
        Assert.Equal(7, tree.First.GetProperty("frames")[0].GetProperty("folded").GetInt32());
    }

    [Fact]
    public void Recursion_is_one_node_that_says_how_often_and_stands_for_its_frames()
    {
        string[] frames = [.. Enumerable.Repeat("Walk.DownAsync() | w.cs:3", 5000), "Program.Main() | p.cs:1"];
        Reader tree = Read(new SnapshotDrawing().Stack(1, null, frames).Snapshot());

        Assert.Equal(["Program.Main()", "Program.Main()/Walk.DownAsync()", "Program.Main()/Walk.DownAsync()/[1 frame, 4,999 more times = 4999]"], tree.Nodes);
        Assert.Equal(5001, tree.First.GetProperty("stacks")[0].GetProperty("frames").GetInt32());
    }

    [Fact]
    public void Frames_that_nodes_stand_for_add_up_to_the_stack_also_of_one_that_is_cut()
    {
        string[] frames = [.. Enumerable.Range(0, 7000).Select(i => $"Chain.F{i}() | c.cs:{i + 1}")];
        Reader tree = Read(new SnapshotDrawing().Stack(1, null, frames).Snapshot());

        Assert.Equal(2001, tree.Nodes.Count);
        Assert.Equal(7000, tree.First.GetProperty("frames").EnumerateArray().Sum(f => f.TryGetProperty("frames", out JsonElement n) ? n.GetInt32() : 1));
        Assert.Contains("[5,000 frames left out = 5000]", tree.Nodes[1000], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1000)]
    public void Pages_put_together_are_the_whole(int size)
    {
        StackView snapshot = Drawings(40);
        Reader whole = Read(snapshot), paged = Read(snapshot, size);

        Assert.Equal(whole.Nodes, paged.Nodes);
        Assert.Equal(whole.Stacks, paged.Stacks);
        Assert.Equal(size > 100, paged.Pages == 1);
    }

    [Fact]
    public void Without_stacks_there_is_a_page_that_says_so()
    {
        Reader tree = Read(new SnapshotDrawing().Problem("A2D1003", "the heap is broken").Incomplete().Snapshot());
        Assert.Equal(1, tree.Pages);
        Assert.Empty(tree.Stacks);
        Assert.False(tree.First.GetProperty("head").GetProperty("complete").GetBoolean());
        Assert.Equal("the heap is broken", tree.First.GetProperty("head").GetProperty("problems")[0].GetProperty("text").GetString());
    }

    [Fact]
    public void A_stack_without_frames_has_no_node()
        => Assert.Equal(-1, Read(new SnapshotDrawing().Stack(1, "Task").Snapshot()).First.GetProperty("stacks")[0].GetProperty("node").GetInt32());

    [Fact]
    public void Names_cannot_move_a_cursor_or_end_a_script()
    {
        byte[] page = Bytes(new TreePages(new SnapshotDrawing().Stack(1, "</script><img src=x onerror=alert(1)>\u202e", "Evil\u001b[2J.F() | </script>.cs:1").Snapshot()), 0);
        Assert.DoesNotContain((byte)'<', page);
        Assert.DoesNotContain(page, b => b is < 0x20 or > 0x7e);
        JsonElement root = JsonDocument.Parse(page).RootElement;
        Assert.Equal("Evil\\u001b[2J.F()", root.GetProperty("frames")[0].GetProperty("method").GetString());
        Assert.EndsWith("\\u202e", root.GetProperty("stacks")[0].GetProperty("wait").GetProperty("text").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Variables_belong_to_stacks_so_that_callers_stay_shared()
    {
        Reader tree = Read(new SnapshotDrawing()
            .Stack(1, null, "A.F() | a.cs:1", "A.Main() | a.cs:9").Locals(1, "int id = 7")
            .Stack(1, null, "A.G() | a.cs:2", "A.Main() | a.cs:9").Locals(1, "int id = 8").Snapshot());

        Assert.Equal(3, tree.Nodes.Count);
        Assert.Equal("8", tree.First.GetProperty("stacks")[1].GetProperty("locals").GetProperty("1")[0].GetProperty("value").GetString());
    }

    private static StackView Drawings(int stacks)
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < stacks; i++)
            drawing.Stack(1, i % 3 == 0 ? null : "Task.Delay", $"Leaf.F{i}() | l.cs:{i + 1}", $"Middle.G{i % 7}() | m.cs:{(i % 7) + 1}", "Program.Main() | p.cs:1");
        return drawing.Snapshot();
    }

    private static Reader Read(StackView snapshot, int size = 5000) => new(new TreePages(snapshot, null, size));

    private static byte[] Bytes(TreePages pages, int page)
    {
        using var output = new MemoryStream();
        pages.Write(page, output);
        return output.ToArray();
    }

    /// <summary>Puts pages together, as a viewer does; a node is the path of its methods.</summary>
    private sealed class Reader
    {
        private readonly List<string> _frames = [];

        public Reader(TreePages pages)
        {
            Pages = pages.Count;
            int? next = 0;
            for (int page = 0; next is { } number; page++)
            {
                Assert.Equal(page, number);
                JsonElement root = JsonDocument.Parse(Bytes(pages, number)).RootElement.Clone();
                First = page == 0 ? root : First;
                Assert.Equal(page == 0, root.TryGetProperty("head", out _));
                Add(root);
                next = root.TryGetProperty("next", out JsonElement more) ? more.GetInt32() : null;
            }
        }

        public int Pages { get; }

        public JsonElement First { get; }

        public List<string> Nodes { get; } = [];

        public List<string> Stacks { get; } = [];

        private void Add(JsonElement page)
        {
            _frames.AddRange(page.GetProperty("frames").EnumerateArray().Select(NameOf));
            Dictionary<int, int> joins = page.GetProperty("nodes").GetProperty("joins").EnumerateArray().ToDictionary(pair => pair[0].GetInt32(), pair => pair[1].GetInt32());
            foreach (JsonElement frame in page.GetProperty("nodes").GetProperty("frame").EnumerateArray())
            {
                int outer = joins.GetValueOrDefault(Nodes.Count, Nodes.Count - 1);
                Nodes.Add((outer < 0 ? "" : Nodes[outer] + "/") + _frames[frame.GetInt32()]);
            }
            Stacks.AddRange(page.GetProperty("stacks").EnumerateArray().Select(s => $"{s.GetProperty("id")} {s.GetProperty("count")} {(s.GetProperty("node").GetInt32() is >= 0 and var node ? Nodes[node] : "-")}"));
        }

        private static string NameOf(JsonElement frame) => frame.TryGetProperty("repeat", out JsonElement repeat)
            ? $"[{repeat.GetString()} = {frame.GetProperty("frames").GetInt32()}]" : frame.GetProperty("method").GetString()!;
    }
}
