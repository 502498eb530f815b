using System.Text.Json;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Rendering;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>The graph in JSON: between what is shown, counted where groups are shown, and bounded by that.</summary>
public sealed class GraphJsonTests
{
    private const string Lock = """
        x1 Thread 7 Shop.A:1 ; x1 wants 9 of lock ; x2 Thread 9 Shop.B:1
        t1 ThunkTask -> c1 ; c1 Continuation [Delay] -> c2 ; c2 Continuation Shop.Pay:1 -> end ; c1 awaits Delay proven ; c1 endedBy timer
        """;

    [Fact]
    public void Edges_say_how_they_are_known_and_what_they_lead_to_is_listed()
    {
        JsonElement json = Json(Ask(Lock, new ViewOptions()));
        Assert.Equal(
            ["s1 blocked-on 0xb0000 (thread-stack) x1", "s1 runs-on t7 (thread-stack) x1", "s2 runs-on t9 (thread-stack) x1", "s3 completed-by 0xc0000 (field) x1", "0xb0000 held-by t9 (owner-record) x1"],
            json.GetProperty("edges").EnumerateArray().Select(Text));
        JsonElement held = json.GetProperty("resources").EnumerateArray().Single(resource => resource.GetProperty("id").GetString() == "0xb0000");
        Assert.Equal(("resource", "lock", "held by thread 9", 1, 9), (held.GetProperty("node").GetString(), held.GetProperty("kind").GetString(), held.GetProperty("text").GetString(),
            held.GetProperty("waiting").GetInt32(), held.GetProperty("heldBy")[0].GetInt32()));
        Assert.Equal(["t7 blocked", "t9 active"], json.GetProperty("threads").EnumerateArray().Select(thread => $"{thread.GetProperty("id").GetString()} {thread.GetProperty("state").GetString()}"));
    }

    [Fact]
    public void Only_what_the_stacks_of_the_list_lead_to_is_there()
    {
        JsonElement json = Json(Ask(Lock, new ViewOptions()), new RenderOptions { Limit = 1 });
        Assert.Equal(["s1", "s1", "0xb0000"], json.GetProperty("edges").EnumerateArray().Select(edge => edge.GetProperty("from").GetString()));
        Assert.Equal(1, json.GetProperty("resources").GetArrayLength());
    }

    [Fact]
    public void A_group_prints_no_more_edges_than_can_be_read_and_counts_the_rest()
    {
        string drawing = string.Join('\n', Enumerable.Range(0, 100).Select(i => $"x{i} Thread {i} Shop.Spin:1 ; x{i} wants"));
        JsonElement[] edges = [.. Json(Ask(drawing, new ViewOptions())).GetProperty("edges").EnumerateArray()];
        Assert.Equal(AnswerGraph.EndLimit + 1, edges.Length);
        JsonElement rest = Assert.Single(edges, edge => !edge.TryGetProperty("to", out _));
        Assert.Equal((100 - AnswerGraph.EndLimit, 100 - AnswerGraph.EndLimit), (rest.GetProperty("count").GetInt32(), rest.GetProperty("targets").GetInt32()));
    }

    [Fact]
    public void With_all_stacks_all_edges_are_there()
    {
        string drawing = string.Join('\n', Enumerable.Range(0, 100).Select(i => $"x{i} Thread {i} Shop.Spin:1 ; x{i} wants"));
        JsonElement[] edges = [.. Json(Ask(drawing, new ViewOptions { Coalesce = false })).GetProperty("edges").EnumerateArray()];
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"t{i}").Order(StringComparer.Ordinal), edges.Select(edge => edge.GetProperty("to").GetString()).Order(StringComparer.Ordinal));
    }

    // What is in a stack one after the other is told by its frames.
    [Fact]
    public void What_a_stack_says_itself_is_no_edge()
    {
        const string drawing = "t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; t1 awaitedBy t2 t3 ; t2 ThunkTask -> c2 ; c2 Continuation Shop.Main:2 -> end ; t3 ThunkTask -> c3 ; c3 Continuation Shop.Other:2 -> end";
        Assert.Equal(["s1 awaits s2 (continuation-object) x1"], Json(Ask(drawing, new ViewOptions())).GetProperty("edges").EnumerateArray().Select(Text));
    }

    private static string Text(JsonElement edge)
        => $"{edge.GetProperty("from")} {edge.GetProperty("relation")} {(edge.TryGetProperty("to", out JsonElement to) ? to : "more")} ({edge.GetProperty("known")}) x{edge.GetProperty("count")}";

    private static StackView Ask(string drawing, ViewOptions options)
    {
        TextHeap heap = TextHeap.Draw(drawing);
        return StackAnswer.Of(DrawnModel.Of(heap.Input with { AllThreads = true }, heap, heap.Problems), new StackQuery(), options, default);
    }

    private static JsonElement Json(StackView view, RenderOptions? options = null) => JsonDocument.Parse(Rendered.Json(view, options)).RootElement;
}
