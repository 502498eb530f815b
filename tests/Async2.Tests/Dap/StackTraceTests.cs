using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Dump.Dap.Session;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Dap;

public sealed class StackTraceTests
{
    [Fact]
    public void Frames_come_innermost_first_with_labels_between_them()
    {
        SnapshotDrawing drawing = new SnapshotDrawing()
            .Stack(1, "Task.Delay", "System.IO.Stream.ReadAsync()", "Shop.Orders.PayAsync(int) | /src/Orders.cs:42", "Shop.Web.ServeAsync() | /src/Web.cs:7 | elided", "Shop.Web.Main() | thread", "Shop.Web.StartAsync() | /src/Web.cs:~9")
            .WithFrame(0, frame => frame with { IsFramework = true })
            .WithFrame(2, frame => frame with { Folded = 3 })
            .With(stack => stack with { AwaitedBy = ["s4", "s9"] });
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        JsonElement[] frames = client.Frames(1);
        Assert.Equal(
            [
                ("label", "waits for Task.Delay"),
                ("subtle", "System.IO.Stream.ReadAsync()"),
                ("normal", "Shop.Orders.PayAsync(int)"),
                ("label", "3 framework frames"),
                ("normal", "Shop.Web.ServeAsync() [elided]"),
                ("normal", "Shop.Web.Main() [thread]"),
                ("normal", "Shop.Web.StartAsync() [likely line]"),
                ("label", "awaited by s4, s9"),
            ],
            frames.Select(f => (f.GetProperty("presentationHint").GetString(), f.GetProperty("name").GetString())));
        Assert.Equal(frames.Length, frames.Select(f => f.GetProperty("id").GetInt32()).Distinct().Count());
        Assert.Equal(42, frames[2].GetProperty("line").GetInt32());
        Assert.Equal("Orders.cs", frames[2].GetProperty("source").GetProperty("name").GetString());
        Assert.Equal("deemphasize", frames[1].GetProperty("source").GetProperty("presentationHint").GetString());
        Assert.False(frames[0].TryGetProperty("source", out _));
    }

    [Theory]
    [InlineData(StackState.Active, null, 7, "running on thread 7")]
    [InlineData(StackState.Scheduled, null, null, "ready to run, queued")]
    [InlineData(StackState.Blocked, "Task", 3, "keeps thread 3 blocked; waits for Task")]
    [InlineData(StackState.Awaiting, null, null, "what it waits for is not known")]
    public void The_first_line_says_what_a_stack_does(StackState state, string? wait, int? thread, string label)
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, state, wait is null ? null : new WaitingOn(WaitKind.Task, wait), "Shop.A()").With(stack => stack with { Thread = thread });
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        Assert.Equal(label, client.Frames(1)[0].GetProperty("name").GetString());
    }

    [Fact]
    public void A_label_shows_where_a_thread_is_involved()
    {
        SnapshotDrawing drawing = new SnapshotDrawing()
            .Stack(2, StackState.Blocked, new WaitingOn(WaitKind.Task, "Task"), "Shop.PayAsync()", "Shop.Serve() | thread", "Shop.Main() | thread")
            .WithFrame(1, frame => frame with { Folded = 2 }).With(stack => stack with { Thread = 4 })
            .Stack(1, StackState.Active, null, "Shop.Count() | thread", "Shop.SumAsync()", "Shop.AllAsync()").With(stack => stack with { Thread = 7 });
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        string[] Names(int thread) => [.. client.Frames(thread).Select(frame => frame.GetProperty("name").GetString()!)];

        Assert.Equal(["keeps thread 4 and 1 more blocked; waits for Task", "Shop.PayAsync()", "blocks thread 4 and 1 more", "2 framework frames", "Shop.Serve() [thread]", "Shop.Main() [thread]"], Names(1));
        Assert.Equal(["running on thread 7", "Shop.Count() [thread]", "on thread 7 so far; awaited by suspended methods", "Shop.SumAsync()", "Shop.AllAsync()"], Names(2));
    }

    [Fact]
    public void A_cycle_and_pending_tasks_are_shown_where_the_stack_waits()
    {
        SnapshotDrawing drawing = new SnapshotDrawing()
            .Stack(1, StackState.Deadlocked, new WaitingOn(WaitKind.Task, "Task", Stack: "s1"), "Shop.Ring.TurnAsync()")
            .Stack(1, StackState.Awaiting, new WaitingOn(WaitKind.Task, "WhenAll") { Pending = ["s1", "s3"] }, "Shop.AllAsync()")
            .Stack(1, StackState.Awaiting, new WaitingOn(WaitKind.Task, "Task", Stack: "s2"), "Shop.OneAsync()");
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        Assert.Equal(
            ["waits for Task, which is this stack's own task: a cycle", "waits for WhenAll, pending: s1, s3", "waits for Task, see s2"],
            Enumerable.Range(1, 3).Select(thread => client.Frames(thread)[0].GetProperty("name").GetString()));
    }

    [Fact]
    public void Labels_precede_their_frames() => Prop.ForAll<byte[]>(folds =>
    {
        bool hasThread = folds.Length % 3 > 0;
        LogicalStack stack = Stack([.. folds.Select(fold => fold % 3)], isAwaited: folds.Length % 2 == 0) with { Thread = hasThread ? 7 : null };
        stack = stack with { Frames = [.. stack.Frames.Select((frame, i) => (folds[i] & 8) == 0 ? frame : frame with { Kind = FrameKind.Thread })] };
        var expected = new List<(StackLineKind, int)> { (StackLineKind.Wait, 0) };
        for (int i = 0; i < stack.Frames.Count; i++)
        {
            if (hasThread && i > 0 && stack.Frames[i].Kind != stack.Frames[i - 1].Kind)
                expected.Add((StackLineKind.Boundary, i));
            if (stack.Frames[i].Folded > 0)
                expected.Add((StackLineKind.Folded, i));
            expected.Add((StackLineKind.Frame, i));
        }
        if (!stack.AwaitedBy.IsEmpty)
            expected.Add((StackLineKind.AwaitedBy, stack.Frames.Count - 1));
        var lines = new StackLines(stack);
        return Enumerable.Range(0, lines.Count).Select(line => lines[line]).SequenceEqual(expected)
            && Enumerable.Range(0, folds.Length).All(frame => lines[lines.LineOf(frame)] == (StackLineKind.Frame, frame));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Pages_of_a_stack_make_the_whole()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, "Task.Delay", [.. Enumerable.Range(0, 57).Select(i => $"Shop.Step{i}Async() | /src/Steps.cs:{i + 1}")]);
        for (int i = 3; i < 57; i += 5)
            drawing.WithFrame(i, frame => frame with { Folded = i });
        using DapClient client = DapClient.Stopped(drawing.Snapshot());
        string[] whole = [.. client.Frames(1).Select(frame => frame.ToString())];
        Assert.Equal(1 + 57 + 11, whole.Length);
        var pages = new List<string>();
        while (pages.Count < whole.Length)
        {
            JsonElement page = client.Call("stackTrace", new { threadId = 1, startFrame = pages.Count, levels = 10 });
            Assert.Equal(whole.Length, page.GetProperty("totalFrames").GetInt32());
            pages.AddRange(page.GetProperty("stackFrames").EnumerateArray().Select(frame => frame.ToString()));
        }
        Assert.Equal(whole, pages);
        Assert.Empty(client.Call("stackTrace", new { threadId = 1, startFrame = 1000, levels = 10 }).GetProperty("stackFrames").EnumerateArray());
    }

    [Fact]
    public void A_page_of_a_stack_a_million_frames_deep_makes_only_the_frames_in_it()
    {
        int made = 0;
        var rows = new StackFrame[1_000_000];
        for (int i = 0; i < rows.Length; i++)
            rows[i] = new StackFrame(i, 0, i % 10 == 0 ? 1 : 0);
        LogicalStack stack = Stack([1], isAwaited: false) with { Frames = FrameList.Of([.. rows], new(() => new ulong[rows.Length]), row => { made++; return SnapshotDrawing.Frame($"Shop.Step{row.Id}Async()"); }) };
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Stack(1, null).With(_ => stack).Snapshot());
        made = 0;
        JsonElement page = client.Call("stackTrace", new { threadId = 1, startFrame = 1_000_000, levels = 20 });
        Assert.Equal(1_100_001, page.GetProperty("totalFrames").GetInt32());
        Assert.Equal(20, page.GetProperty("stackFrames").GetArrayLength());
        Assert.InRange(made, 1, 20);
        // Who asks for all at once gets a part, and the number of all.
        JsonElement all = client.Call("stackTrace", new { threadId = 1 });
        Assert.Equal(10_000, all.GetProperty("stackFrames").GetArrayLength());
        Assert.Equal(1_100_001, all.GetProperty("totalFrames").GetInt32());
    }

    [Fact]
    public void A_missing_stack_is_an_error_between_programs()
    {
        using DapClient client = DapClient.Stopped(new SnapshotDrawing().Stack(1, "Task.Delay", "Shop.A()").Snapshot());
        foreach (int thread in (int[])[0, 2, int.MaxValue])
            Assert.Equal(($"There is no stack s{thread}: the last one is s1.", false), client.Fail("stackTrace", new { threadId = thread }));
        Assert.Contains("as threadId", client.Fail("stackTrace", new { threadId = -1 }).Text, StringComparison.Ordinal);
        Assert.Contains("as threadId", client.Fail("stackTrace").Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_count_from_0_for_a_client_that_counts_so()
    {
        using DapClient client = DapClient.Of((_, _, _) => new DrawnTarget(new SnapshotDrawing().Stack(1, "Task.Delay", "Shop.A() | /src/A.cs:42").Snapshot()));
        client.Stop(new { dumpPath = "x" }, features: new { linesStartAt1 = false, columnsStartAt1 = false });
        JsonElement frame = client.Frames(1)[1];
        Assert.Equal((41, 0), (frame.GetProperty("line").GetInt32(), frame.GetProperty("column").GetInt32()));
    }

    private static LogicalStack Stack(int[] folds, bool isAwaited) => new()
    {
        Id = "s1",
        Count = 1,
        State = StackState.Awaiting,
        AwaitedBy = isAwaited ? ["s2"] : [],
        Frames = [.. folds.Select(fold => SnapshotDrawing.Frame("Shop.A()") with { Folded = fold })],
    };
}
