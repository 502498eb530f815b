using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

public sealed class QueryTests : IDisposable
{
    private readonly DapClient _client = DapClient.Stopped(Shop());

    [Theory]
    [InlineData("method:Pay", "s1,s2")]
    [InlineData("method:pay method:Web", "s1")]
    [InlineData("Pay", "s1,s2")]
    [InlineData("pay Web", "s1")]
    [InlineData("Delay", "s3")]
    [InlineData("waiting-on:Semaphore", "s1")]
    [InlineData("waiting:Semaphore", "s1")]
    [InlineData("waiting:free", "s1")]
    [InlineData("state:active", "s2")]
    [InlineData("state:active,awaiting", "s1,s2,s3")]
    [InlineData("state:awaiting without:Cache", "s1")]
    [InlineData("with:Orders.cs:42 without:Web", "s2")]
    [InlineData("Orders.cs:42", "s1,s2")]
    [InlineData("module:shop", "s1,s2")]
    [InlineData("module:Shop.dll", "s1,s2")]
    [InlineData("thread:7", "s2")]
    [InlineData("task:0x7f99", "s2")]
    [InlineData("address:7f3a00001000", "s1")]
    [InlineData("address:0x7f77", "s3")]
    [InlineData("method:\"Load Async\"", "")]
    [InlineData("s2 s3", "s2,s3")]
    [InlineData("", "s1,s2,s3")]
    public void A_query_finds_stacks(string query, string stacks)
    {
        JsonElement answer = _client.Call("async2/stacks", new { query });
        string[] expected = stacks.Split(',', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(expected, answer.GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("id").GetString()));
        Assert.Equal(expected.Length, answer.GetProperty("total").GetInt32());
    }

    [Fact]
    public void A_stack_in_a_list_has_all_that_a_line_shows()
    {
        JsonElement stack = _client.Call("async2/stacks", new { query = "", start = 0, count = 1 }).GetProperty("stacks")[0];
        Assert.Equal(
            """{"id":"s1","thread":1,"count":398,"state":"awaiting","name":"x398 Orders.PayAsync - SemaphoreSlim","wait":"SemaphoreSlim, 0 free","frame":"Shop.Orders.PayAsync(int)  Orders.cs:42"}""",
            stack.GetRawText());
        JsonElement rest = _client.Call("async2/stacks", new { start = 1, count = 5 });
        Assert.Equal(3, rest.GetProperty("total").GetInt32());
        Assert.Equal(2, rest.GetProperty("stacks").GetArrayLength());
    }

    [Fact]
    public void The_console_answers_with_a_line_for_each_stack()
    {
        Assert.Equal(
            """
            400 of 401 stacks in 2 groups:
            s1  x398  awaiting  Orders.PayAsync  SemaphoreSlim, 0 free
            s2  x2    active    Orders.PayAsync
            """,
            _client.Ask("method:Pay"), ignoreLineEndingDifferences: true);
        JsonElement answer = _client.Call("evaluate", new { expression = "method:Pay", context = "repl" });
        JsonElement[] stacks = _client.Open(answer);
        Assert.Equal(["s1", "s2"], stacks.Select(stack => stack.GetProperty("name").GetString()));
        Assert.Equal(
            [("", "waits for SemaphoreSlim, 0 free"), ("0", "Shop.Orders.PayAsync(int)  Orders.cs:42"), ("1", "Shop.Web.ServeAsync()  Shop.dll:?")],
            _client.Open(stacks[0]).Select(line => (line.GetProperty("name").GetString(), line.GetProperty("value").GetString())));
    }

    [Theory]
    [InlineData("stack s2")]
    [InlineData("s2")]
    [InlineData("  stack   s2  ")]
    public void A_stack_is_printed_whole(string query)
    {
        string text = _client.Ask(query);
        Assert.StartsWith("2x  active  thread 7 and 1 more  s2  task 0x7f99", text, StringComparison.Ordinal);
        Assert.Contains("Shop.Orders.PayAsync(int)  Orders.cs:42", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("help")]
    [InlineData("?")]
    [InlineData("")]
    public void Help_names_every_word(string query)
    {
        string help = _client.Ask(query);
        foreach (string word in (string[])["method:", "waiting-on:", "state:", "with:", "without:", "module:", "address:", "task:", "thread:", "stack s12", "deadlocked"])
            Assert.Contains(word, help, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("metod:Pay", "There is no word 'metod:' in queries. Type one of method:, module:")]
    [InlineData("method:(", "method: needs a regular expression, but '(' is not one.")]
    [InlineData("method:", "method: needs a pattern of 1 to 1000 characters.")]
    [InlineData("state:sleeping", "state: does not accept 'sleeping'. Type state: and one of awaiting, scheduled")]
    [InlineData("address:orders", "address: needs an address in hex, not 'orders'.")]
    [InlineData("thread:main", "thread: needs a number above 0, not 'main'.")]
    [InlineData("?(?=x)", "look-around")]
    [InlineData("Nobody", "There is no variable 'Nobody' in this frame. To search stacks, type ?Nobody")]
    [InlineData("stack s99", "There is no stack s99: the last one is s3.")]
    [InlineData("stack x", "'x' is not a stack: their ids are s1, s2 and so on.")]
    [InlineData("stack", "Which stack?")]
    public void An_invalid_query_is_reported_in_the_console_only(string query, string error)
    {
        (string text, bool isForUser) = _client.Fail("evaluate", new { expression = query, context = "repl" });
        Assert.Contains(error, text, StringComparison.Ordinal);
        Assert.False(isForUser);
    }

    [Fact]
    public void Nothing_found_says_so() => Assert.Equal("No stack matches.", _client.Ask("method:Nobody"));

    [Fact]
    public void A_group_is_found_by_the_objects_of_any_of_its_stacks()
    {
        StackView group = new SnapshotDrawing().Stack(2, "Task.Delay", "Shop.A()").Stack(1, "Task.Delay", "Shop.B()").Snapshot();
        StackView each = new SnapshotDrawing().Stack(1, "Task.Delay", "Shop.A()").Stack(1, "Task.Delay", "Shop.A()").With(stack => stack with { Task = 0x7f02 }).Stack(1, "Task.Delay", "Shop.B()").Snapshot();
        AsyncModel model = DrawnStacks.ModelOf(each);
        StackView shown = group with { Stacks = [group.Stacks[0] with { Members = [0, 1] }, group.Stacks[1] with { Members = [2] }] };
        Assert.Equal([0], StackSearch.Parse("task:0x7f02").In(model, shown, includeFramework: false, TestContext.Current.CancellationToken));
        Assert.Equal([0, 1], StackSearch.Parse("Shop").In(model, shown, includeFramework: false, TestContext.Current.CancellationToken));
    }

    [Fact]
    public void Long_answers_are_shortened_and_say_so()
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < 1000; i++)
            drawing.Stack(1, "Task.Delay", $"Shop.Step{i}Async()");
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        string text = client.Ask("?Step");
        Assert.Equal(52, text.Split('\n').Length);
        Assert.EndsWith("950 more: open the answer, or add a word to the query.", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", 1, "method:,module:,state:,waiting-on:,with:,without:,address:,task:,methodtable:,type:,thread:,older-than:,request:,trace:,label:,finding:,stack,help", 1, 0)]
    [InlineData("method:Pay wi", 14, "with:,without:", 12, 2)]
    [InlineData("state:", 7, "awaiting,scheduled,active,blocked,deadlocked,completed", 7, 0)]
    [InlineData("state:active,de", 16, "deadlocked", 14, 2)]
    [InlineData("xyz", 4, "", 0, 0)]
    [InlineData("m", 99, "method:,module:,methodtable:", 1, 1)]
    [InlineData("?m", 3, "method:,module:,methodtable:", 2, 1)]
    [InlineData("?method:Pay wi", 15, "with:,without:", 13, 2)]
    [InlineData("$co", 4, "$count", 1, 3)]
    public void A_partial_query_is_completed(string text, int column, string words, int start, int length)
    {
        JsonElement[] targets = [.. _client.Call("completions", new { text, column }).GetProperty("targets").EnumerateArray()];
        Assert.Equal(words, string.Join(',', targets.Select(target => target.GetProperty("label").GetString())));
        Assert.All(targets, target => Assert.Equal((start, length), (target.GetProperty("start").GetInt32(), target.GetProperty("length").GetInt32())));
    }

    [Fact]
    public void Frames_that_are_folded_and_tasks_in_the_middle_are_found_too()
    {
        StackView shown = new SnapshotDrawing()
            .Stack(1, StackState.Awaiting, null, "Shop.Cache.LoadAsync()", "Shop.Web.ServeAsync()")
            .With(stack => stack with { Task = 0x7f01 })
            .Stack(1, StackState.Awaiting, null, "Shop.Orders.PayAsync()")
            .Snapshot();
        LogicalStack first = shown.Stacks[0];
        LogicalStack whole = first with { Frames = [Folded("System.Net.Http.HttpClient.SendAsync()"), .. first.Frames, Folded("Kestrel.RunAsync()")] };
        using DapClient client = DapClient.Stopped(shown, null, DrawnStacks.ModelOf(shown with { Stacks = [whole, shown.Stacks[1]] }, 0x7f03, 0x7f02, 0x7f01));
        foreach (string query in (string[])["task:0x7f02", "task:0x7f03", "address:0x7f02", "address:0x7f77", "method:SendAsync", "with:Kestrel", "HttpClient", "module:Net"])
            Assert.Equal("s1", Found(client, query));
        Assert.Equal("s2", Found(client, "without:Kestrel"));
        Assert.Equal("", Found(client, "task:0x7f04"));
    }

    private static LogicalFrame Folded(string method) => SnapshotDrawing.Frame(method) with { IsFramework = true, Address = 0x7f77, Module = "Net.dll" };

    private static string Found(DapClient client, string query)
        => string.Join(',', client.Call("async2/stacks", new { query }).GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("id").GetString()));

    public void Dispose() => _client.Dispose();

    private static StackView Shop() => new SnapshotDrawing()
        .Stack(398, StackState.Awaiting, new WaitingOn(WaitKind.Semaphore, "SemaphoreSlim", 0x7f3a00001000) { Detail = "0 free" }, "Shop.Orders.PayAsync(int) | /src/Orders.cs:42", "Shop.Web.ServeAsync()")
        .Stack(2, StackState.Active, null, "Shop.Orders.PayAsync(int) | /src/Orders.cs:42")
        .With(stack => stack with { Thread = 7, Task = 0x7f99 })
        .Stack(1, StackState.Awaiting, new WaitingOn(WaitKind.Timer, "Task.Delay"), "Shop.Cache.LoadAsync()")
        .WithFrame(0, frame => frame with { Address = 0x7f77, Module = "Cache.dll" })
        .Snapshot();
}
