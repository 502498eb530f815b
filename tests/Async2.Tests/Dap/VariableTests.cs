using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Values;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Dap;

public sealed class VariableTests
{
    private static readonly DeclaredType Int = new("int", ClrElementType.Int32, null);

    [Fact]
    public void A_frame_has_its_variables_and_what_its_stack_waits_for()
    {
        SnapshotDrawing drawing = new SnapshotDrawing()
            .Stack(3, StackState.Awaiting, new WaitingOn(WaitKind.Semaphore, "SemaphoreSlim", 0x7f10, "System.Threading.SemaphoreSlim") { Detail = "0 free" }, "Shop.A() | /src/A.cs:~4", "Shop.B()")
            .Locals(0, "int id = 7", "name = \"x\"")
            .WithFrame(0, frame => frame with { Address = 0x7f20 })
            .With(stack => stack with { Task = 0x7f30, AwaitedBy = ["s2"] });
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        int frame = client.Frames(1)[1].GetProperty("id").GetInt32();

        Dictionary<string, JsonElement> locals = client.Scope(frame, "Locals");
        Assert.Equal(["id", "name"], locals.Keys);
        Assert.Equal(("7", "int"), (locals["id"].GetProperty("value").GetString(), locals["id"].GetProperty("type").GetString()));
        Assert.False(locals["name"].TryGetProperty("type", out _));

        Dictionary<string, JsonElement> wait = client.Scope(frame, "Wait");
        Assert.Equal(
            [
                ("state", "awaiting"), ("waiting for", "SemaphoreSlim, 0 free"), ("awaited by", "s2"), ("task", "0x7f30"),
                ("stacks like this", "3; objects and variables are those of the first"), ("place", "A.cs:~4"), ("frame object", "0x7f20"),
            ],
            wait.Select(line => (line.Key, line.Value.GetProperty("value").GetString()!)));

        int label = client.Frames(1)[0].GetProperty("id").GetInt32();
        JsonElement only = Assert.Single(client.Call("scopes", new { frameId = label }).GetProperty("scopes").EnumerateArray());
        Assert.Equal("Wait", only.GetProperty("name").GetString());
    }

    [Fact]
    public void Parts_are_read_on_expansion_and_keep_their_ids()
    {
        var asked = new List<string>();
        using DapClient client = DapClient.Of((_, _, _) => Target(asked));
        client.Stop(new { dumpPath = "x" });
        int frame = client.Frames(1)[1].GetProperty("id").GetInt32();
        JsonElement order = client.Scope(frame, "Locals")["order"];
        Assert.Equal(2, order.GetProperty("namedVariables").GetInt32());
        Assert.Empty(asked);

        JsonElement[] fields = client.Open(order);
        Assert.Equal(["Id", "Next"], fields.Select(f => f.GetProperty("name").GetString()));
        Assert.Equal("Order (determined by order)", fields[1].GetProperty("type").GetString());
        Assert.Equal(fields.Select(f => f.ToString()), client.Open(order).Select(f => f.ToString()));
        Assert.Equal(["0 to 2"], asked);
        // An object that refers to itself can be opened for as long as somebody wants to.
        for (int i = 0; i < 50; i++)
            fields = client.Open(fields[1]);
        Assert.Equal(0, fields[0].GetProperty("variablesReference").GetInt32());
    }

    [Fact]
    public void Elements_are_read_page_by_page()
    {
        var asked = new List<string>();
        using DapClient client = DapClient.Of((_, _, _) => Target(asked));
        client.Stop(new { dumpPath = "x" });
        int frame = client.Frames(1)[1].GetProperty("id").GetInt32();
        JsonElement array = client.Scope(frame, "Locals")["numbers"];
        Assert.Equal(5000, array.GetProperty("indexedVariables").GetInt32());
        int reference = array.GetProperty("variablesReference").GetInt32();

        JsonElement page = client.Call("variables", new { variablesReference = reference, filter = "indexed", start = 4990, count = 100 });
        Assert.Equal(Enumerable.Range(4990, 10).Select(i => $"[{i}]"), page.GetProperty("variables").EnumerateArray().Select(v => v.GetProperty("name").GetString()));
        Assert.Equal(0, client.Call("variables", new { variablesReference = reference, filter = "named" }).GetProperty("variables").GetArrayLength());
        // Who knows no pages gets the first one, and how many are left.
        JsonElement[] first = client.Open(array);
        Assert.Equal(1001, first.Length);
        Assert.Equal("4,000 more", first[^1].GetProperty("value").GetString());
        Assert.Equal(["4990 to 5000", "0 to 1000"], asked);
    }

    [Theory]
    [InlineData("order", "{Order}")]
    [InlineData(" order.Next.Next.Id ", "7")]
    [InlineData("order?.Next!.Id", "7")]
    [InlineData("numbers[4711]", "4711")]
    [InlineData("@numbers", "int[5000]")]
    [InlineData("Id", "7")]
    [InlineData("this.Id", "7")]
    public void A_hover_and_a_watch_show_the_variable_they_name(string expression, string value)
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { dumpPath = "x" });
        int frameId = client.Frames(1)[1].GetProperty("id").GetInt32();
        foreach (string context in (string[])["hover", "watch", "variables", "clipboard"])
            Assert.Equal(value, client.Call("evaluate", new { expression, context, frameId }).GetProperty("result").GetString());
        // The console, too: queries have their own prefix there.
        Assert.Equal(value, client.Call("evaluate", new { expression, context = "repl", frameId }).GetProperty("result").GetString());
    }

    [Fact]
    public void A_watch_can_be_expanded()
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { dumpPath = "x" });
        JsonElement order = client.Call("evaluate", new { expression = "order", context = "watch", frameId = client.Frames(1)[1].GetProperty("id").GetInt32() });
        Assert.Equal("Order (determined by order)", order.GetProperty("type").GetString());
        Assert.Equal(["Id", "Next"], client.Open(order).Select(field => field.GetProperty("name").GetString()));
    }

    [Theory]
    [InlineData("pieces", "no variable 'pieces'")]
    [InlineData("order.Nothing", "no variable")]
    [InlineData("order.Nothing.Id", "no variable")]
    [InlineData("order[0]", "no variable")]
    [InlineData("numbers[5000]", "no variable")]
    [InlineData("numbers.Length", "no variable")]
    [InlineData("order + 1", "Expressions are not evaluated")]
    [InlineData("Pay()", "Expressions are not evaluated")]
    public void A_name_that_is_not_a_variable_of_the_frame_is_reported(string expression, string error)
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { dumpPath = "x" });
        JsonElement[] frames = client.Frames(1);
        (string text, bool isForUser) = client.Fail("evaluate", new { expression, context = "hover", frameId = frames[1].GetProperty("id").GetInt32() });
        Assert.Contains(error, text, StringComparison.Ordinal);
        Assert.False(isForUser);
        // A label has no variables.
        client.Fail("evaluate", new { expression = "order", context = "watch", frameId = frames[0].GetProperty("id").GetInt32() });
        client.Fail("evaluate", new { expression = "order", context = "watch" });
    }

    [Fact]
    public void Each_part_says_how_it_is_evaluated_and_evaluates_to_itself()
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { dumpPath = "x" });
        int frameId = client.Frames(1)[1].GetProperty("id").GetInt32();
        Dictionary<string, JsonElement> locals = client.Scope(frameId, "Locals");
        JsonElement[] fields = client.Open(locals["order"]);
        Assert.Equal("order", locals["order"].GetProperty("evaluateName").GetString());
        Assert.Equal("numbers[3]", client.Open(locals["numbers"])[3].GetProperty("evaluateName").GetString());
        JsonElement deep = client.Open(fields[1])[0];
        Assert.Equal("order.Next.Id", deep.GetProperty("evaluateName").GetString());
        Assert.Equal(deep.GetProperty("value").GetString(), client.Call("evaluate", new { expression = "order.Next.Id", context = "watch", frameId }).GetProperty("result").GetString());
        // What a watch has opened knows its way, too.
        JsonElement watched = client.Call("evaluate", new { expression = "order.Next", context = "watch", frameId });
        Assert.Equal("order.Next.Id", client.Open(watched)[0].GetProperty("evaluateName").GetString());
    }

    [Theory]
    [InlineData("$count", "1")]
    [InlineData("$id", "s1")]
    [InlineData("$state", "awaiting")]
    [InlineData("$age", "not known")]
    public void Facts_of_the_stack_have_names(string name, string value)
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { dumpPath = "x" });
        int frameId = client.Frames(1)[1].GetProperty("id").GetInt32();
        foreach (string context in (string[])["repl", "watch"])
            Assert.Equal(value, client.Call("evaluate", new { expression = name, context, frameId }).GetProperty("result").GetString());
        client.Fail("evaluate", new { expression = "$nothing", context = "repl", frameId });
    }

    [Fact]
    public void The_wait_of_a_stack_can_be_expanded()
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { dumpPath = "x" });
        int label = client.Frames(1)[0].GetProperty("id").GetInt32();
        Assert.Equal(["Id", "Next"], client.Open(client.Scope(label, "Wait")["waiting for"]).Select(f => f.GetProperty("name").GetString()));
    }

    [Fact]
    public void Ids_of_an_earlier_capture_are_rejected()
    {
        using DapClient client = DapClient.Of((_, _, _) => Target([]));
        client.Stop(new { processId = 42 }, "attach");
        int frame = client.Frames(1)[1].GetProperty("id").GetInt32();
        int reference = client.Scope(frame, "Locals")["order"].GetProperty("variablesReference").GetInt32();
        client.Call("async2/refresh");
        Assert.NotEqual(frame, client.Frames(1)[1].GetProperty("id").GetInt32());
        Assert.Contains("earlier capture", client.Fail("scopes", new { frameId = frame }).Text, StringComparison.Ordinal);
        Assert.Contains("earlier capture", client.Fail("variables", new { variablesReference = reference }).Text, StringComparison.Ordinal);
        foreach (int never in (int[])[0, 1_000_000, int.MaxValue])
        {
            Assert.Contains("earlier capture", client.Fail("scopes", new { frameId = never }).Text, StringComparison.Ordinal);
            Assert.Contains("earlier capture", client.Fail("variables", new { variablesReference = never }).Text, StringComparison.Ordinal);
        }
    }

    // An order that refers to itself, and an array.
    private static DrawnTarget Target(List<string> asked)
    {
        var order = new UnreadParts(Int) { Count = 2, Address = 0x7f10 };
        var numbers = new UnreadParts(Int) { Count = 5000, IsIndexed = true, Address = 0x7f20 };
        var next = new LocalValue("Next", "Order", "{0x7f10}") { Parts = order, Exactness = Exactness.Order };
        return new DrawnTarget(new SnapshotDrawing().Stack(1, "Task.Delay", "Shop.A()").Snapshot())
        {
            Locals = (_, _) => [next with { Name = "this" }, next with { Name = "order" }, new LocalValue("numbers", "int[]", "int[5000]") { Parts = numbers }],
            Parts = (parts, start, count) =>
            {
                asked.Add($"{start} to {Math.Min(start + count, parts.Count)}");
                return parts.IsIndexed ? [.. Enumerable.Range(start, count).Select(i => new LocalValue($"[{i}]", "int", $"{i}"))] : [new LocalValue("Id", "int", "7"), next];
            },
            Objects = (name, _) => next with { Name = name },
        };
    }
}
