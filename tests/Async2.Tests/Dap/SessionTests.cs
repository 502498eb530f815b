using System.Text;
using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Dap.Session;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

public sealed class SessionTests
{
    private static readonly SnapshotDrawing Drawing = new SnapshotDrawing().Stack(1, "Task.Delay", "Shop.A()");

    [Fact]
    public void A_session_reports_in_order_that_it_is_ready_what_it_read_and_that_it_stopped()
    {
        using DapClient client = DapClient.Stopped(Drawing.Snapshot());
        Assert.Equal(["initialized", "output", "stopped"], Names(client));
        Assert.Contains("1 stack suspended", client.Console, StringComparison.Ordinal);
        Assert.Contains("/dumps/shop.dmp", client.Console, StringComparison.Ordinal);
        JsonElement stopped = client.Event("stopped");
        Assert.Equal("""{"reason":"pause","description":"Paused","threadId":1,"allThreadsStopped":true,"preserveFocusHint":false}""", stopped.GetRawText());
        client.Disconnect();
    }

    [Fact]
    public void Only_existing_values_are_offered()
    {
        using DapClient client = DapClient.Of((_, _, _) => new DrawnTarget(Drawing.Snapshot()));
        JsonElement capabilities = client.Call("initialize", new { adapterID = "async2" });
        Assert.Equal(
            ["supportsDelayedStackTraceLoading", "supportsConfigurationDoneRequest", "supportsExceptionInfoRequest", "supportsEvaluateForHovers", "supportsCancelRequest", "supportsCompletionsRequest", "completionTriggerCharacters"],
            capabilities.EnumerateObject().Select(capability => capability.Name));
        Assert.All(capabilities.EnumerateObject().SkipLast(1), capability => Assert.True(capability.Value.GetBoolean()));
        Assert.Equal(["?", ":", ",", ".", "$"], capabilities.GetProperty("completionTriggerCharacters").EnumerateArray().Select(character => character.GetString()));
    }

    [Fact]
    public void VsCode_gets_its_first_frames_in_one_request()
    {
        using DapClient client = DapClient.Of((_, _, _) => new DrawnTarget(Drawing.Snapshot()));
        JsonElement capabilities = client.Call("initialize", new { adapterID = "async2", clientID = "vscode" });
        Assert.False(capabilities.TryGetProperty("supportsDelayedStackTraceLoading", out _));
        client.Disconnect();
    }

    [Theory]
    [InlineData("continue")]
    [InlineData("next")]
    [InlineData("stepIn")]
    [InlineData("stepOut")]
    [InlineData("setVariable")]
    public void Requests_that_would_continue_or_change_it_are_rejected_with_the_reason(string command)
    {
        using DapClient dump = DapClient.Stopped(Drawing.Snapshot());
        Assert.Equal(("A dump cannot continue or be changed: it shows a process at one moment.", true), dump.Fail(command, new { threadId = 1 }));
        using DapClient live = DapClient.Of((_, _, _) => new DrawnTarget(Drawing.Snapshot())).Stop(new { processId = "42" }, "attach");
        (string text, bool isForUser) = live.Fail(command, new { threadId = 1 });
        Assert.Contains("it runs on", text, StringComparison.Ordinal);
        Assert.True(isForUser);
        Assert.Equal(1, live.Call("threads").GetProperty("threads").GetArrayLength());
    }

    [Fact]
    public void Each_breakpoint_request_is_answered_and_none_is_set()
    {
        using DapClient client = DapClient.Stopped(Drawing.Snapshot());
        JsonElement[] answers = [.. client.Call("setBreakpoints", new { source = new { path = "/a.cs" }, breakpoints = new[] { new { line = 1 }, new { line = 2 } } }).GetProperty("breakpoints").EnumerateArray()];
        Assert.Equal(2, answers.Length);
        Assert.All(answers, answer => Assert.False(answer.GetProperty("verified").GetBoolean()));
        Assert.Contains("changes nothing", answers[0].GetProperty("message").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, client.Call("setExceptionBreakpoints", new { filters = Array.Empty<string>() }).GetProperty("breakpoints").GetArrayLength());
    }

    [Fact]
    public void A_refresh_shows_changes_and_a_failed_refresh_keeps_the_last_capture()
    {
        int looks = 0, ended = 0;
        using DapClient client = DapClient.Of((_, _, _) => ++looks switch
        {
            3 => throw new TargetException("Process 42 has ended.", "start it again"),
            _ => new DrawnTarget(Drawing.Snapshot() with { Stacks = [.. Drawing.Snapshot().Stacks.Select(stack => stack with { Count = looks })] }) { Hold = new Ending(() => ended++) },
        }).Stop(new { processId = 42 }, "attach");
        client.Call("pause", new { threadId = 0 });
        client.Event("async2/changed");
        client.Event("stopped", 2);
        Assert.Equal(1, ended);
        Assert.Equal("x2 Shop.A - Task.Delay", Name(client));

        Assert.Equal(("Process 42 has ended. Start it again.", false), client.Fail("async2/refresh"));
        Assert.Contains("has ended", client.Console, StringComparison.Ordinal);
        Assert.Equal("x2 Shop.A - Task.Delay", Name(client));
        Assert.Equal(1, ended);
        client.Disconnect();
        Assert.Equal(2, ended);
    }

    [Theory]
    [InlineData("pause")]
    [InlineData("async2/refresh")]
    public void A_dump_cannot_be_refreshed(string command)
    {
        using DapClient client = DapClient.Stopped(Drawing.Snapshot());
        // Who sends a request of our own shows the error by itself.
        Assert.Equal(("A dump does not change: there is nothing new to see.", command == "pause"), client.Fail(command));
        Assert.DoesNotContain("async2/changed", Names(client));
    }

    [Fact]
    public void Requests_before_a_launch_fail_and_nothing_breaks()
    {
        using DapClient client = DapClient.Of((_, _, _) => throw new TargetException("It is not a dump.", "take another file"));
        foreach (string command in (string[])["stackTrace", "scopes", "evaluate", "async2/tree", "async2/stacks", "exceptionInfo", "async2/refresh", "continue"])
            client.Fail(command, new { threadId = 1, frameId = 1, expression = "x" });
        Assert.Equal(0, client.Call("threads").GetProperty("threads").GetArrayLength());
        Assert.Equal(("It is not a dump. Take another file.", true), client.Fail("launch", new { dumpPath = "x" }));
        Assert.DoesNotContain("stopped", Names(client));
        Assert.Equal(("The request 'dance' is not supported.", false), client.Fail("dance"));
        client.Disconnect();
    }

    [Fact]
    public void A_session_has_one_target()
    {
        using DapClient client = DapClient.Stopped(Drawing.Snapshot());
        Assert.Contains("start another session", client.Fail("launch", new { dumpPath = "y" }).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("launch", "{}", "No dumpPath is given.")]
    [InlineData("launch", """{"dumpPath":7}""", "needs a string as dumpPath")]
    [InlineData("attach", "{}", "No processId is given.")]
    [InlineData("attach", """{"processId":"shop"}""", "'shop' is not a process id")]
    [InlineData("attach", """{"processId":-4}""", "'-4' is not a process id")]
    [InlineData("launch", """{"dumpPath":"x","maxThreads":0}""", "a number above 0 as maxThreads")]
    [InlineData("launch", """{"dumpPath":"x","maxThreads":"many"}""", "maxThreads")]
    [InlineData("launch", """{"dumpPath":"x","freeze":"hard"}""", "brief, full, none, copy or parts as freeze")]
    [InlineData("launch", """{"dumpPath":"x","freeze":"7"}""", "brief, full, none, copy or parts as freeze")]
    [InlineData("launch", """{"dumpPath":"x","symbolPath":"/no/such/folder"}""", "There is no folder '/no/such/folder' (given as symbolPath)")]
    [InlineData("launch", """{"dumpPath":"x","symbolPath":[1]}""", "a string or a list of strings as symbolPath")]
    [InlineData("launch", """{"dumpPath":"x","sourceFileMap":[]}""", "an object of strings as sourceFileMap")]
    [InlineData("launch", """{"dumpPath":"x","justMyCode":"yes"}""", "true or false as justMyCode")]
    [InlineData("launch", """{"dumpPath":"x","dac":"/no/dac"}""", "There is no file '/no/dac' (given as dac)")]
    [InlineData("launch", """{"dumpPath":"x","layout":"/no/layout"}""", "There is no file '/no/layout' (given as layout)")]
    [InlineData("launch", """{"dumpPath":"x","trace":"/no/folder/trace.log"}""", "trace.log")]
    public void The_error_for_a_wrong_field_names_it(string command, string arguments, string error)
    {
        using DapClient client = DapClient.Of((_, _, _) => new DrawnTarget(Drawing.Snapshot()));
        (string text, bool isForUser) = client.Fail(command, JsonDocument.Parse(arguments).RootElement);
        Assert.Contains(error, text, StringComparison.Ordinal);
        Assert.True(isForUser);
    }

    [Fact]
    public void Fields_have_the_meaning_of_the_command_line_options()
    {
        LaunchArguments? seen = null;
        using DapClient client = DapClient.Of((arguments, _, _) =>
        {
            seen = arguments;
            return new DrawnTarget(Drawing.Snapshot());
        });
        client.Call("attach", new { processId = "42", justMyCode = false, groupStacks = false, completed = true, tasks = true, freeze = "none", symbolPath = new[] { "/tmp" }, noDebug = false });
        Assert.Equal(42, seen!.ProcessId);
        AnalysisOptions analysis = seen.ForAnalysis;
        Assert.Equal((false, true, true, true), (analysis.Coalesce, analysis.IncludeFramework, analysis.Completed, analysis.PlainTasks));
        Assert.Equal(FreezeMode.None, seen.ForTarget.Freeze);
        Assert.Equal(["/tmp"], seen.ForTarget.SymbolDirectories);
    }

    [Fact]
    public void Progress_is_reported_to_a_client_that_supports_it()
    {
        static IReadTarget Read(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
        {
            progress.Report(new("reading the heap", 0.5, 1234));
            return new DrawnTarget(Drawing.Snapshot());
        }
        using DapClient client = DapClient.Of(Read).Stop(new { dumpPath = "/dumps/shop.dmp" }, features: new { supportsProgressReporting = true });
        JsonElement start = client.Event("progressStart");
        Assert.Equal(("Reading shop.dmp", true, 2), (start.GetProperty("title").GetString(), start.GetProperty("cancellable").GetBoolean(), start.GetProperty("requestId").GetInt32()));
        JsonElement update = client.Event("progressUpdate");
        Assert.Equal(("reading the heap, 1,234 objects", 50), (update.GetProperty("message").GetString(), update.GetProperty("percentage").GetInt32()));
        Assert.Equal(start.GetProperty("progressId").GetString(), client.Event("progressEnd").GetProperty("progressId").GetString());
        using DapClient other = DapClient.Of(Read).Stop(new { dumpPath = "/dumps/shop.dmp" });
        Assert.DoesNotContain("progressStart", Names(other));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_long_reading_can_be_cancelled_by_its_request_or_its_progress(bool byProgress)
    {
        using var reading = new ManualResetEventSlim();
        using DapClient client = DapClient.Of((_, _, cancellation) =>
        {
            reading.Set();
            cancellation.WaitHandle.WaitOne(TimeSpan.FromMinutes(1));
            return new DrawnTarget(Drawing.Snapshot());
        });
        client.Call("initialize", new { supportsProgressReporting = true });
        int launch = client.Send("launch", new { dumpPath = "x" }), waiting = client.Send("threads");
        Assert.True(reading.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
        client.Call("cancel", new { requestId = waiting });
        string id = client.Event("progressStart").GetProperty("progressId").GetString()!;
        client.Call("cancel", byProgress ? new { progressId = id } : new { requestId = launch });
        Assert.Equal(("cancelled", false), client.Error(launch));
        Assert.Equal(("cancelled", false), client.Error(waiting));
        client.Event("progressEnd");
        // What is called off may be tried again, and what never was is nobody's error.
        client.Call("cancel", new { requestId = 4711 });
        client.Call("cancel", new { progressId = "nonsense" });
        client.Disconnect();
    }

    [Fact]
    public void Disconnecting_ends_a_long_reading_and_releases_the_process()
    {
        bool isFree = false;
        using var reading = new ManualResetEventSlim();
        using DapClient client = DapClient.Of((_, _, cancellation) =>
        {
            reading.Set();
            cancellation.WaitHandle.WaitOne(TimeSpan.FromMinutes(1));
            return new DrawnTarget(Drawing.Snapshot()) { Hold = new Ending(() => isFree = true) };
        });
        int launch = client.Send("launch", new { dumpPath = "x" });
        Assert.True(reading.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
        client.Disconnect();
        Assert.Equal(("cancelled", false), client.Error(launch));
        Assert.True(isFree);
    }

    [Fact]
    public void A_client_that_disconnects_ends_it_too()
    {
        bool isFree = false;
        DapClient client = DapClient.Of((_, _, _) => new DrawnTarget(Drawing.Snapshot()) { Hold = new Ending(() => isFree = true) });
        client.Stop(new { dumpPath = "x" });
        client.Dispose();
        Assert.True(isFree);
    }

    [Fact]
    public void An_invalid_message_is_ignored_and_the_next_one_is_answered()
    {
        using DapClient client = DapClient.Stopped(Drawing.Snapshot());
        foreach (string message in (string[])["{bad}", "", "[]", "{}", "null", """{"type":"request"}""", """{"type":"request","seq":"x","command":"threads"}""", """{"type":"request","seq":1e99,"command":"threads"}""", """{"type":"request","seq":9,"command":"\ud800"}"""])
            client.Write(Encoding.UTF8.GetBytes(message));
        client.Write([.. "{\"type\":\"request\",\"seq\":9,\"command\":\""u8, 0xff, .. "\"}"u8]);
        Assert.Equal(1, client.Call("threads").GetProperty("threads").GetArrayLength());
        Assert.Equal(10, client.Console.Split("A message was ignored").Length - 1);
        // Arguments of any shape are an error of that request.
        foreach (object arguments in (object[])["text", 7, new[] { 1 }, new { threadId = "x" }, new { threadId = 1e30 }, new { threadId = new { } }])
            client.Fail("stackTrace", arguments);
    }

    [Fact]
    public void Input_that_is_not_a_message_ends_the_session_with_an_error()
    {
        using DapClient client = DapClient.Stopped(Drawing.Snapshot());
        client.WriteRaw("GET / HTTP/1.1\r\nHost\r\n\r\n");
        client.Event("terminated");
        Assert.Contains("not a message of the Debug Adapter Protocol", client.Console, StringComparison.Ordinal);
        client.WaitForEnd();
    }

    private static string Name(DapClient client) => client.Call("threads").GetProperty("threads")[0].GetProperty("name").GetString()!;

    private static IEnumerable<string?> Names(DapClient client) => client.Events.Select(e => e.GetProperty("event").GetString());

    private sealed class Ending(Action end) : IDisposable
    {
        public void Dispose() => end();
    }
}
