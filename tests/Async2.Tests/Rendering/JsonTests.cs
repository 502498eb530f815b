using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

public sealed class JsonTests
{
    [Fact]
    public void Unknown_values_are_absent_never_null()
    {
        string json = Rendered.Json(Drawings.Shop().Snapshot());
        Assert.DoesNotContain("null", json);
        JsonElement stack = Parse(json).GetProperty("stacks")[2];
        Assert.False(stack.TryGetProperty("waitingOn", out _));
        Assert.False(stack.GetProperty("frames")[1].TryGetProperty("line", out _));
    }

    [Fact]
    public void Enums_and_addresses_are_formatted_as_in_the_contract()
    {
        SnapshotDrawing drawing = new SnapshotDrawing()
            .Stack(1, StackState.Awaiting, new WaitingOn(WaitKind.Semaphore, "SemaphoreSlim", 0xABCDEF, "System.Threading.SemaphoreSlim", "s7"), "A.B()")
            .With(s => s with { Frames = [s.Frames[0] with { Kind = FrameKind.StateMachine, Address = ulong.MaxValue, ILOffset = 12, Type = "A", Name = "B" }] });
        JsonElement stack = Parse(Rendered.Json(drawing.Snapshot())).GetProperty("stacks")[0];
        JsonElement wait = stack.GetProperty("waitingOn"), frame = stack.GetProperty("frames")[0];
        Assert.Equal(["semaphore", "SemaphoreSlim", "0xabcdef", "System.Threading.SemaphoreSlim", "s7"], wait.EnumerateObject().Select(p => p.Value.GetString()!));
        Assert.Equal("state-machine", frame.GetProperty("kind").GetString());
        Assert.Equal("0xffffffffffffffff", frame.GetProperty("address").GetString());
        Assert.Equal(12, frame.GetProperty("ilOffset").GetInt32());
        Assert.Equal("none", frame.GetProperty("exactness").GetString());
    }

    [Fact]
    public void Known_details_references_locals_and_folded_frames_are_shown()
    {
        JsonElement stacks = Parse(Rendered.Json(JamDrawing.Jam().Snapshot())).GetProperty("stacks");
        Assert.Equal("SemaphoreSlim.WaitAsync, 0 free, 398 waiting", stacks[0].GetProperty("waitingOn").GetProperty("text").GetString());
        Assert.Equal(12, stacks[0].GetProperty("frames")[2].GetProperty("folded").GetInt32());
        JsonElement locals = stacks[0].GetProperty("frames")[0].GetProperty("locals");
        Assert.Equal("""{"name":"order","type":"int","value":"1042"}""", JsonSerializer.Serialize(locals[1]));
        Assert.Equal("""{"name":"reason","value":"null"}""", JsonSerializer.Serialize(locals[3]));
        Assert.Equal(["s5"], stacks[1].GetProperty("awaitedBy").EnumerateArray().Select(id => id.GetString()));
        Assert.Equal(["s1", "s3"], stacks[3].GetProperty("waitingOn").GetProperty("pending").EnumerateArray().Select(id => id.GetString()));
        Assert.False(stacks[4].TryGetProperty("awaitedBy", out _) || stacks[4].GetProperty("frames")[0].TryGetProperty("locals", out _)
            || stacks[4].GetProperty("frames")[0].TryGetProperty("folded", out _));
    }

    [Fact]
    public void Sections_name_only_stacks_of_the_list_and_count_all()
    {
        JsonElement groups = Parse(Rendered.Json(Drawings.Busy().Snapshot(), new RenderOptions { GroupBy = StackGrouping.WaitingOn, Limit = 3 })).GetProperty("groups");
        Assert.Equal(("Channel.ReadAsync", 10), (groups[0].GetProperty("key").GetString(), groups[0].GetProperty("count").GetInt32()));
        Assert.Equal(["s2", "s3"], groups[0].GetProperty("stacks").EnumerateArray().Select(id => id.GetString()));
        Assert.False(Parse(Rendered.Json(Drawings.Busy().Snapshot())).TryGetProperty("groups", out _));
    }

    [Fact]
    public void Frames_are_innermost_first_independent_of_the_text_order()
    {
        JsonElement frames = Parse(Rendered.Json(Drawings.Shop().Snapshot(), new RenderOptions { LeafFirst = false }))
            .GetProperty("stacks")[0].GetProperty("frames");
        Assert.StartsWith("Shop.Payments.Gateway.ChargeAsync", frames[0].GetProperty("method").GetString());
    }

    [Fact]
    public void A_limit_shortens_the_list_and_not_the_totals()
    {
        JsonElement root = Parse(Rendered.Json(Drawings.Shop().Snapshot(), new RenderOptions { Limit = 1 }));
        Assert.Equal(1, root.GetProperty("stacks").GetArrayLength());
        Assert.Equal(412, root.GetProperty("totals").GetProperty("stacks").GetInt32());
    }

    [Fact]
    public void Names_stay_readable()
    {
        string json = Rendered.Json(new SnapshotDrawing().Stack(1, "Task", "Shop.Cache<string>.Get(\u00e9, \u6f22, \"'&\\)").Snapshot());
        Assert.Contains("\"Shop.Cache<string>.Get(\u00e9, \u6f22, \\\"'&\\\\)\"", json);
    }

    [Fact]
    public void A_big_answer_is_sent_in_pieces()
    {
        StackView one = new SnapshotDrawing().Stack(1, "Task", [.. Enumerable.Range(0, 200_000).Select(i => $"A.B{i}()")]).Snapshot();
        using var stream = new PieceCounter();
        new JsonRenderer().Render(one, new RenderOptions(), stream);
        Assert.True(stream.Total > 10_000_000, $"{stream.Total} bytes");
        Assert.True(stream.Largest < 200_000, $"a piece of {stream.Largest} bytes");
    }

    private static JsonElement Parse(string json) => JsonDocument.Parse(json).RootElement;

    private sealed class PieceCounter : MemoryStream
    {
        public long Total { get; private set; }

        public int Largest { get; private set; }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            Total += buffer.Length;
            Largest = Math.Max(Largest, buffer.Length);
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));
    }
}
