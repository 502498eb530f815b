using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Rendering;

/// <summary>JSON that was read back is the same view: the same JSON, the same text. What is not an answer is refused in one sentence.</summary>
public sealed class JsonReadBackTests
{
    private const string Shop = """
        g1 ThunkTask -> a1 ; a1 Continuation [Task.Delay] -> a2 ; a2 Continuation Shop.Prices.Refresh:9 -> end ; g1 awaitedBy t2 t3 t4
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Orders.Pay:4 -> b2 ; b2 Continuation Shop.Main:5 -> end
        t3 ThunkTask -> d1 ; d1 Continuation {Net.Send} -> d3 ; d3 Continuation Shop.Other:6 -> end
        t4 ThunkTask -> e1 ; e1 Continuation Shop.Orders.Pay:4 -> e2 ; e2 Continuation Shop.Main:5 -> end
        w1 WhenAll ; w1 awaitedBy t5 ; t2 awaitedBy w1 ; t5 ThunkTask -> f1 ; f1 Continuation Shop.All:7 -> end
        z1 Thread 11 Shop.Hold:1 ; z1 wants 12 of lock ; z2 Thread 12 Shop.Hold:2 ; z2 wants 11
        a1 awaits System.Threading.Tasks.Task+DelayPromise proven ; a1 endedBy timer
        n1 ThunkTask -> o1 ; o1 Continuation Shop.Next:2 -> end ; n1 resumesOn 11
        """;

    public static TheoryData<string> Views => ["shop", "recursion", "jam", "incomplete", "busy", "model", "model, all", "model, framework"];

    [Theory]
    [MemberData(nameof(Views))]
    public void It_is_the_same_view(string name)
    {
        StackView view = ViewOf(name), read = Read(Rendered.Json(view));
        Assert.Equal(Rendered.Json(view), Rendered.Json(read));
        Assert.Equal(Rendered.Text(view), Rendered.Text(read));
        foreach (StackGrouping grouping in Enum.GetValues<StackGrouping>())
        {
            var options = new RenderOptions { GroupBy = grouping, Limit = 2, LeafFirst = true, Verbose = true };
            Assert.Equal(Rendered.Json(view, options), Rendered.Json(read, options));
            Assert.Equal(Rendered.Text(view, options: options), Rendered.Text(read, options: options));
        }
    }

    [Fact]
    public void Each_view_has_stacks() => Assert.All(Views, name => Assert.NotEmpty(ViewOf(name).Stacks));

    [Fact]
    public void Its_pool_is_the_same()
    {
        StackView view = ViewOf("shop");
        Assert.Equal(DrawnPool.Whole, Read(Rendered.Json(view with { Target = view.Target with { Pool = DrawnPool.Whole } })).Target.Pool);
    }

    // Names are the target's: whatever stands in one comes back.
    [Fact]
    public void Any_text_comes_back()
        => Prop.ForAll(ArbMap.Default.ArbFor<(NonNull<string>, NonNull<string>, NonNull<string>)>(), texts =>
        {
            (string one, string two, string three) = (texts.Item1.Get, texts.Item2.Get, texts.Item3.Get);
            var wait = new WaitingOn(WaitKind.Semaphore, one, 0x10, two) { Detail = three, Resource = new WaitResource(0x20, two, three) { IsShared = true } };
            StackView view = new SnapshotDrawing().Stack(1, StackState.Awaiting, wait, "A.B()")
                .With(s => s with { Labels = [new(LabelNames.Request, two, LabelSource.Context), new("A." + one, three, LabelSource.Caller) { Values = 2 }], Frames = [s.Frames[0] with { Method = one, Note = two, Locals = [new LocalValue(one, two, three)] }] }).Snapshot();
            Assert.Equal(Rendered.Json(view), Rendered.Json(Read(Rendered.Json(view))));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Theory]
    [InlineData("", "this is not JSON of async2.stacks/1, from byte 0 of line 1 on")]
    [InlineData("null", "the answer is empty: null is not an object")]
    [InlineData("[]", "this is not JSON of async2.stacks/1, from byte 1 of line 1 on")]
    [InlineData("{}", "this is not JSON of async2.stacks/1, from byte 2 of line 1 on")]
    [InlineData("{\"schema\": \"\\u001b[31m", "this is not JSON of async2.stacks/1, from byte 22 of line 1 on")]
    public void What_is_no_answer_is_refused(string json, string sentence) => Assert.Equal(sentence, Assert.Throws<InvalidDataException>(() => Read(json)).Message);

    [Theory]
    [InlineData("$.schema", "\"async2.tree/1\"", "the answer has another schema than async2.stacks/1")]
    [InlineData("$.target", "null", "target is null, which no answer has")]
    [InlineData("$.stacks[0]", "null", "a stack is null, which no answer has")]
    [InlineData("$.stacks[0].frames", "[null]", "a frame is null, which no answer has")]
    [InlineData("$.stacks[0].frames[0].method", "null", "a frame's method is null, which no answer has")]
    [InlineData("$.stacks[0].task", "\"7\"", "an address or a token is not a hexadecimal number")]
    [InlineData("$.stacks[0].task", "\"0x11112222333344445\"", "an address or a token is not a hexadecimal number")]
    [InlineData("$.stacks[0].frames[0].token", "\"0x123456789\"", "an address or a token is not a hexadecimal number")]
    [InlineData("$.stacks[0].frames[0].mvid", "\"7\"", "a frame's mvid is not a GUID")]
    [InlineData("$.stacks[0].waitingOn.detail", "\"others\"", "a text in waitingOn does not end in its name and detail")]
    [InlineData("$.edges[0]", "null", "an edge is null, which no answer has")]
    [InlineData("$.resources[0].id", "null", "a resource's id is null, which no answer has")]
    public void Errors_in_it_are_reported(string path, string value, string sentence)
        => Assert.Equal(sentence, Assert.Throws<InvalidDataException>(() => Read(Changed(path, value))).Message);

    [Fact]
    public void Any_value_in_place_of_another_is_one_sentence_or_an_answer()
    {
        JsonNode whole = JsonNode.Parse(Rendered.Json(ViewOf("model")))!;
        string[] paths = [.. PathsIn(whole)];
        string[] values = ["null", "-1", "99999999999999999999", "\"\"", "\"0x\"", "\"\\ud800\"", "{}", "[]", "[null]", "true", "\"s1\"", "1e400"];
        int refused = 0;
        Prop.ForAll(ArbMap.Default.ArbFor<(uint, uint)>(), change =>
        {
            string json = Changed(paths[change.Item1 % paths.Length], values[change.Item2 % values.Length]);
            try
            {
                StackView view = Read(json);
                Rendered.Json(view, new RenderOptions { GroupBy = StackGrouping.WaitingOn });
                Rendered.Text(view);
            }
            catch (InvalidDataException e)
            {
                Assert.DoesNotContain('\n', e.Message);
                refused++;
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));
        Assert.InRange(refused, 500, 2000);
    }

    [Fact]
    public void Any_wrong_byte_is_one_sentence_or_an_answer()
    {
        byte[] json = Encoding.UTF8.GetBytes(Rendered.Json(ViewOf("model")));
        Prop.ForAll(ArbMap.Default.ArbFor<(uint, byte)[]>(), changes =>
        {
            byte[] damaged = [.. json];
            foreach ((uint place, byte value) in changes)
                damaged[place % damaged.Length] = value;
            try
            {
                Rendered.Text(JsonViewReader.Read(new MemoryStream(damaged)));
            }
            catch (InvalidDataException e)
            {
                Assert.DoesNotContain('\n', e.Message);
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(500));
    }

    [Fact]
    public void Fields_of_a_newer_version_are_skipped()
        => Assert.Equal(Rendered.Json(ViewOf("model")), Rendered.Json(Read(Rendered.Json(ViewOf("model")).Replace("\"schema\":", "\"newer\": { \"a\": [1] }, \"schema\":", StringComparison.Ordinal))));

    private static IEnumerable<string> PathsIn(JsonNode? node) => node switch
    {
        JsonObject all => all.SelectMany(pair => PathsIn(pair.Value).Prepend(node[pair.Key]!.GetPath())),
        JsonArray list => list.SelectMany(PathsIn),
        _ => [],
    };

    private static string Changed(string path, string value)
    {
        JsonNode whole = JsonNode.Parse(Rendered.Json(ViewOf("model")))!;
        JsonNode place = whole;
        string[] steps = path[2..].Replace("[", ".", StringComparison.Ordinal).Replace("]", "", StringComparison.Ordinal).Split('.');
        foreach (string step in steps[..^1])
            place = int.TryParse(step, out int index) ? place[index]! : place[step]!;
        const string mark = "\"the changed value\"";
        if (int.TryParse(steps[^1], out int last))
            place[last] = JsonNode.Parse(mark);
        else
            place[steps[^1]] = JsonNode.Parse(mark);
        return whole.ToJsonString(new JsonSerializerOptions { WriteIndented = true }).Replace(mark, value, StringComparison.Ordinal);
    }

    private static StackView ViewOf(string name) => name switch
    {
        "shop" => Drawings.Shop().Snapshot(),
        "recursion" => Drawings.Recursion(3).Snapshot(),
        "jam" => JamDrawing.Jam().Of(500, 9, "--method Pay").Snapshot(),
        "incomplete" => JamDrawing.Jam().Incomplete().Snapshot(),
        "busy" => Drawings.Busy().Snapshot(),
        _ => Ask(new ViewOptions { Coalesce = !name.EndsWith("all", StringComparison.Ordinal), IncludeFramework = name.EndsWith("framework", StringComparison.Ordinal) }),
    };

    private static StackView Ask(ViewOptions options)
    {
        TextHeap heap = TextHeap.Draw(Shop);
        return StackAnswer.Of(DrawnModel.Of(heap.Input with { AllThreads = true }, heap, heap.Problems), new StackQuery(), options, default);
    }

    private static StackView Read(string json) => JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(json)));
}
