using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

public sealed class ThreadTests
{
    private static readonly WaitingOn Semaphore = new(WaitKind.Semaphore, "SemaphoreSlim.WaitAsync", 0x7f3a00001000) { Detail = "0 free, 3 waiting" };

    [Theory]
    [InlineData(4312, StackState.Awaiting, true, "x4,312 Orders.PayAsync - SemaphoreSlim.WaitAsync")]
    [InlineData(1, StackState.Awaiting, true, "Orders.PayAsync - SemaphoreSlim.WaitAsync")]
    [InlineData(1, StackState.Awaiting, false, "Orders.PayAsync - waiting")]
    [InlineData(2, StackState.Active, true, "x2 Orders.PayAsync - running")]
    [InlineData(1, StackState.Scheduled, true, "Orders.PayAsync - ready to run")]
    [InlineData(1, StackState.Blocked, true, "Orders.PayAsync - blocked: SemaphoreSlim.WaitAsync")]
    [InlineData(1, StackState.Deadlocked, true, "Orders.PayAsync - deadlocked: SemaphoreSlim.WaitAsync")]
    [InlineData(1, StackState.Completed, false, "Orders.PayAsync - completed")]
    public void A_thread_is_called_by_its_count_its_method_and_what_it_does(long count, StackState state, bool waits, string name)
    {
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Stack(count, state, waits ? Semaphore : null, "Shop.Orders.PayAsync(int)", "Shop.Web.ServeAsync()").Snapshot());
        Assert.Equal([(1, name)], Threads(client));
    }

    [Fact]
    public void The_name_is_that_of_the_innermost_method_of_the_user()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, StackState.Awaiting, Semaphore, "System.IO.Stream.ReadAsync()", "Shop.Cache<System.Collections.Generic.List<int>>.LoadAsync()")
            .WithFrame(0, frame => frame with { IsFramework = true });
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        Assert.Equal([(1, "Cache<System.Collections.Generic.List<int>>.LoadAsync - SemaphoreSlim.WaitAsync")], Threads(client));
    }

    [Fact]
    public void Unlisted_stacks_are_counted_in_the_console_and_can_be_opened()
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < 50; i++)
            drawing.Stack(1, "Task.Delay", $"Shop.Orders.Step{i}Async()");
        using DapClient client = DapClient.Stopped(drawing.Snapshot(), new { dumpPath = "x", maxThreads = 20 });
        Assert.Equal(Enumerable.Range(1, 20), Threads(client).Select(thread => thread.Id));
        Assert.Contains("30 more stacks not listed", client.Console, StringComparison.Ordinal);
        Assert.Contains("maxThreads above 20", client.Console, StringComparison.Ordinal);
        Assert.Equal("Shop.Orders.Step44Async()", client.Frames(45)[1].GetProperty("name").GetString());

        Assert.Equal(45, client.Call("async2/select", new { stack = "s45" }).GetProperty("threadId").GetInt32());
        JsonElement stopped = client.Event("stopped", 2);
        Assert.Equal(45, stopped.GetProperty("threadId").GetInt32());
        Assert.True(stopped.GetProperty("allThreadsStopped").GetBoolean());
        Assert.Equal([.. Enumerable.Range(1, 20), 45], Threads(client).Select(thread => thread.Id));
    }

    [Theory]
    [InlineData("the same", "Shop.Pay() | /s.cs:4", 3)]
    [InlineData("another line", "Shop.Pay() | /s.cs:9", 3)]
    [InlineData("deeper", "Shop.Cache.Load() | /s.cs:2;Shop.Pay() | /s.cs:4", 3)]
    [InlineData("gone", "Other.Work() | /o.cs:1", 1)]
    public void A_refresh_keeps_the_selected_stack_and_does_not_select_the_deadlock(string what, string later, int expected)
    {
        int looks = 0;
        StackView Next() => ++looks == 1
            ? new SnapshotDrawing().Stack(1, StackState.Deadlocked, null, "Shop.Lock()", "Shop.Main()").Stack(1, null, "Shop.Pay() | /s.cs:4", "Shop.Serve()", "Shop.Main()").Snapshot()
            : new SnapshotDrawing().Stack(1, StackState.Deadlocked, null, "Shop.Lock()", "Shop.Main()").Stack(5, null, "New.Work()", "Shop.Main()").Stack(1, null, [.. later.Split(';'), .. Outside(what)]).Snapshot();
        using DapClient client = DapClient.Of((_, _, _) => new DrawnTarget(Next()));
        client.Stop(new { processId = 42 }, "attach");
        Assert.Equal(("deadlock", 1), Stopped(client, 1));
        client.Scope(client.Frames(2)[1].GetProperty("id").GetInt32(), "Wait");
        client.Call("async2/refresh");
        Assert.Equal((expected == 1 ? "deadlock" : "Paused", expected), Stopped(client, 2));
        // Also when nobody has asked for anything of it since.
        client.Call("async2/select", new { stack = "s3" });
        client.Call("async2/refresh");
        Assert.Equal(("Paused", 3), Stopped(client, 4));
    }

    [Fact]
    public void Idle_loops_are_one_line_in_the_console_and_the_list_and_no_threads()
    {
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Stack(2, "SemaphoreSlim", "Shop.Pay()")
            .Stack(56, "Socket receive", "K.DoReceive()").With(stack => stack with { Idle = "Kestrel receive" })
            .Stack(55, "Pipe read", "K.DoSend()").With(stack => stack with { Idle = "Kestrel send" }).Snapshot());
        Assert.Equal([(1, "x2 Shop.Pay - SemaphoreSlim")], Threads(client));
        Assert.Contains("111 idle loops not listed: 56 Kestrel receive, 55 Kestrel send. A query finds them: s2 for one.", client.Console, StringComparison.Ordinal);
        Assert.DoesNotContain("more stacks not listed", client.Console, StringComparison.Ordinal);
        Assert.Equal("K.DoReceive()", client.Frames(2)[1].GetProperty("name").GetString());

        JsonElement list = client.Call("async2/stacks");
        Assert.Equal("""{"entries":2,"name":"111 idle loops","text":"56 Kestrel receive, 55 Kestrel send"}""", list.GetProperty("idle").GetRawText());
        Assert.Equal([null, "Kestrel receive", "Kestrel send"], list.GetProperty("stacks").EnumerateArray().Select(row => row.TryGetProperty("idle", out JsonElement idle) ? idle.GetString() : null));
        // Who asks for them gets them like others.
        Assert.False(client.Call("async2/stacks", new { query = "DoSend" }).TryGetProperty("idle", out _));
        Assert.Equal(111, client.Call("async2/tree").GetProperty("stacks").EnumerateArray().Where(stack => stack.TryGetProperty("idle", out _)).Sum(stack => stack.GetProperty("count").GetInt32()));
    }

    [Fact]
    public void If_there_are_only_idle_loops_they_are_threads()
    {
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Stack(3, "Socket receive", "K.DoReceive()").With(stack => stack with { Idle = "Kestrel receive" }).Snapshot());
        Assert.Equal([(1, "x3 K.DoReceive - Socket receive")], Threads(client));
        Assert.DoesNotContain("not listed", client.Console, StringComparison.Ordinal);
        Assert.False(client.Call("async2/stacks").TryGetProperty("idle", out _));
    }

    private static string[] Outside(string what) => what == "gone" ? ["Other.Main()"] : ["Shop.Serve()", "Shop.Main()"];

    private static (string? Reason, int Thread) Stopped(DapClient client, int number)
        => client.Event("stopped", number) is var stopped ? (stopped.GetProperty("description").GetString(), stopped.GetProperty("threadId").GetInt32()) : default;

    private static (string? Reason, string? Description, string? Text) Words(JsonElement stopped)
        => (stopped.GetProperty("reason").GetString(), stopped.GetProperty("description").GetString(), stopped.GetProperty("text").GetString());

    [Fact]
    public void A_deadlock_is_listed_and_shown_first_even_if_it_is_small()
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < 50; i++)
            drawing.Stack(50 - i, "Task.Delay", $"Shop.Orders.Step{i}Async()");
        drawing.Stack(1, StackState.Deadlocked, new WaitingOn(WaitKind.Task, "Task", Stack: "s51"), "Shop.Ring.TurnAsync()");
        using DapClient client = DapClient.Stopped(drawing.Snapshot(), new { dumpPath = "x", maxThreads = 3 });
        JsonElement stopped = client.Event("stopped");
        // Nothing was thrown.
        Assert.Equal(("pause", "deadlock"), (stopped.GetProperty("reason").GetString(), stopped.GetProperty("description").GetString()));
        Assert.Equal(51, stopped.GetProperty("threadId").GetInt32());
        Assert.Equal("deadlock: s51", stopped.GetProperty("text").GetString());
        Assert.Equal([51, 1, 2], Threads(client).Select(thread => thread.Id));
        JsonElement exception = client.Call("exceptionInfo", new { threadId = 51 });
        Assert.Equal("deadlock: s51", exception.GetProperty("exceptionId").GetString());
        Assert.Contains("1 deadlocked", exception.GetProperty("description").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_finding_is_the_reason_to_stop()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(3, "Task.Delay", "Shop.Orders.PayAsync()").Finding(Severity.Error, "starvation", "no thread is left", "s1");
        using DapClient client = DapClient.Stopped(drawing.Problem("A2D2003", "one module has no symbols").Snapshot());
        Assert.Equal(("pause", "starvation", "starvation: no thread is left"), Words(client.Event("stopped")));
        string details = client.Call("exceptionInfo", new { threadId = 1 }).GetProperty("details").GetProperty("message").GetString()!;
        foreach (string part in (string[])["starvation", "no thread is left", "3 stacks suspended", "/dumps/shop.dmp", "one module has no symbols", "1 problem"])
        {
            Assert.Contains(part, details, StringComparison.Ordinal);
            Assert.Contains(part, client.Console, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void No_stacks_are_one_thread_that_says_so()
    {
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Snapshot());
        const string verdict = "no async stacks: no async method is suspended or running";
        Assert.Equal([(1, verdict)], Threads(client));
        Assert.Equal("pause", client.Event("stopped").GetProperty("reason").GetString());
        JsonElement label = Assert.Single(client.Frames(1));
        Assert.Equal(verdict, label.GetProperty("name").GetString());
        Assert.Equal("label", label.GetProperty("presentationHint").GetString());
        Assert.Equal(0, client.Call("scopes", new { frameId = label.GetProperty("id").GetInt32() }).GetProperty("scopes").GetArrayLength());
    }

    private static (int Id, string Name)[] Threads(DapClient client)
        => [.. client.Call("threads").GetProperty("threads").EnumerateArray().Select(t => (t.GetProperty("id").GetInt32(), t.GetProperty("name").GetString()!))];
}
