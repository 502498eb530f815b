using Async2.Analysis.Model;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// Threads that block, in both builds, live and from a dump: each is shown with what it waits for and who holds it, cycles of them
/// are deadlocks, and a method whose awaited task has completed says what holds it up.
/// </summary>
[Trait("Category", "Integration")]
public sealed class ThreadSituationTests
{
    public static TheoryData<string> Builds => ["Situations", "Situations.Classic"];

    private static Dictionary<string, WaitKind> Kinds => new()
    {
        ["event"] = WaitKind.Event, ["gong"] = WaitKind.Event, ["countdown"] = WaitKind.Event, ["barrier"] = WaitKind.Event, ["holder"] = WaitKind.Event,
        ["monitor"] = WaitKind.Lock, ["lock"] = WaitKind.Lock, ["write"] = WaitKind.Lock, ["lazy"] = WaitKind.Lock, ["initializer"] = WaitKind.Lock, ["mutex"] = WaitKind.Lock,
        ["semaphore"] = WaitKind.Semaphore, ["collection"] = WaitKind.Channel, ["join"] = WaitKind.Thread, ["sleep"] = WaitKind.Timer,
        ["receive"] = WaitKind.Socket, ["connect"] = WaitKind.Socket, ["task"] = WaitKind.Task, ["all"] = WaitKind.Task,
        ["any"] = WaitKind.Event, ["recall"] = WaitKind.Thread, ["child"] = WaitKind.Process, ["select"] = WaitKind.Socket, ["udp"] = WaitKind.Socket, ["native"] = WaitKind.Native, ["pipe"] = WaitKind.Native,
    };

    [Theory]
    [MemberData(nameof(Builds))]
    public void Every_thread_that_blocks_is_shown_and_no_other(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "threads"))
        {
            var recorded = found.Truth.Threads!.ToDictionary(t => t.Thread);
            Assert.Equal(recorded.Keys.Order(), found.Stacks.Select(s => s.Thread ?? 0).Order());
            Assert.All(found.Stacks, stack => Assert.Equal(StackState.Blocked, stack.State));
            Assert.Equal([], found.Stacks.Select(stack => Difference(found, stack, recorded[stack.Thread!.Value])).OfType<string>());
            var kinds = found.Stacks.ToDictionary(stack => recorded[stack.Thread!.Value].Name, stack => stack.WaitingOn!.Kind);
            Assert.Equal(Kinds, Kinds.Keys.ToDictionary(name => name, name => kinds[name]));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_healthy_program_shows_its_own_method_and_no_thread(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "healthy"))
            Assert.Equal("AcceptAsync@accept", found.OutermostFirst(Assert.Single(found.Stacks)));
    }

    [Fact]
    public void An_async_main_shows_no_thread_for_the_compilers_wrapper()
    {
        const string source = """
            System.Console.WriteLine("{\"stacks\":[]}");
            System.Console.WriteLine("ready " + System.Environment.ProcessId);
            await System.Threading.Tasks.Task.Delay(-1);
            """;
        using var program = new IdleProgram(source);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        LogicalStack stack = Assert.Single(Situation.LookAt($"{process.Pid}", process.Truth).Stacks);
        Assert.Equal(StackState.Awaiting, stack.State);
        Assert.Null(stack.Thread);
    }

    [Theory]
    [InlineData("System.Threading.Thread.Sleep(-1);")]
    [InlineData("System.Threading.Tasks.Task.Delay(-1).Wait();")]
    public void An_async_main_that_blocks_is_one_frame(string block)
    {
        string body = $$"""
            System.Console.WriteLine("{\"stacks\":[]}");
            System.Console.WriteLine("ready " + System.Environment.ProcessId);
            {{block}}
            await System.Threading.Tasks.Task.Delay(-1);
            """;
        foreach (string source in (string[])[body, "class P { static async System.Threading.Tasks.Task Main() {" + body + "} }"])
        {
            using var program = new IdleProgram(source);
            using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
            LogicalStack stack = Situation.LookAt($"{process.Pid}", process.Truth).Stacks.Single(s => s.Thread is not null);
            Assert.Equal(StackState.Blocked, stack.State);
            Assert.StartsWith("Main", Assert.Single(stack.Frames).Name, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Threads_that_wait_for_async_methods_in_older_ways_are_joined_to_them(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "waited"))
        {
            Assert.Equal(
                ["PackAsync@pack", "PickAsync@pick", "WaitForAll@all", "WaitForHandle@handle < SendAsync@send"],
                found.Stacks.Select(found.OutermostFirst).Order(StringComparer.Ordinal));
            LogicalStack all = found.Stacks.Single(s => s.Frames[0].Name == "WaitForAll");
            Assert.Equal((StackState.Blocked, "Task.WaitAll, 2 tasks left"), (all.State, all.WaitingOn?.FullText));
            Assert.Equal(found.Stacks.Where(s => s.Thread is null).Select(s => s.Id).Order(), all.WaitingOn!.Pending.Order());
            Assert.Equal(StackState.Blocked, found.Stacks.Single(s => s.Frames[0].Name == "SendAsync").State);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Two_threads_with_each_others_lock_are_a_cycle_and_a_third_waits_outside(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "abba"))
        {
            LogicalStack cycle = found.Stacks.Single(s => s.State == StackState.Deadlocked), outside = found.Stacks.Single(s => s != cycle);
            Assert.Equal(["DrawerFirst@till", "TillFirst@drawer"], MarkedIn(found, cycle));
            Assert.Equal(cycle.Id, cycle.WaitingOn?.Stack);
            Assert.Matches(@"^Monitor[.]Enter, Jams[.]Till, object 0x[0-9a-f]+ \(object\), held by thread (\d+); thread \1 waits for Monitor[.]Enter, object 0x[0-9a-f]+ \(object\), held by thread \d+$",
                cycle.WaitingOn?.FullText);
            Assert.Equal(WaitKind.Lock, cycle.WaitingOn?.Kind);
            Assert.Equal(["Outside@outside"], MarkedIn(found, outside));
            Assert.Equal((StackState.Blocked, cycle.Id), (outside.State, outside.WaitingOn?.Stack));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_convoy_waits_for_the_thread_that_sleeps_in_the_lock(string build)
    {
        Situation found = Situation.Look(build, "convoy");
        LogicalStack holder = found.Stacks.Single(s => s.WaitingOn?.Text == "Thread.Sleep");
        LogicalStack[] others = [.. found.Stacks.Where(s => s != holder)];
        Assert.Equal(20, others.Length);
        Assert.All(others, stack => Assert.Equal((holder.Id, WaitKind.Lock), (stack.WaitingOn!.Stack, stack.WaitingOn.Kind)));
        Assert.All(others, stack => Assert.EndsWith($"held by thread {holder.Thread}", stack.WaitingOn?.FullText));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_cycle_over_a_lock_and_a_task_is_one_deadlock(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "crossed"))
        {
            LogicalStack stack = Assert.Single(found.Stacks);
            Assert.Equal(StackState.Deadlocked, stack.State);
            Assert.Equal(["Cashier@cashier", "CountAsync@count", "PayAsync@pay"], MarkedIn(found, stack));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_wait_with_a_timeout_is_not_deadlocked(string build)
    {
        Situation found = Situation.Look(build, "patient");
        Assert.Equal(2, found.Stacks.Length);
        Assert.All(found.Stacks, stack => Assert.Equal(StackState.Blocked, stack.State));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_method_that_its_own_blocked_context_should_resume_says_so(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "posted"))
        {
            LogicalStack stack = Assert.Single(found.Stacks);
            Assert.Equal(StackState.Deadlocked, stack.State);
            Assert.Equal("LoadAsync", stack.Frames[0].Name);
            Assert.Contains("result", MarkedIn(found, stack).Select(frame => frame.Split('@')[1]));
            Assert.Equal($"done; to be resumed on SynchronizationContext UiContext, whose thread {stack.Thread} is blocked in Task.Result", stack.WaitingOn?.FullText);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_context_whose_thread_sleeps_delays_posted_work(string build)
    {
        Situation found = Situation.Look(build, "busy");
        LogicalStack waits = found.Stacks.Single(s => s.Frames[0].Name == "LoadAsync"), sleeps = found.Stacks.Single(s => s != waits);
        Assert.Equal(StackState.Scheduled, waits.State);
        Assert.Equal($"done; to be resumed on SynchronizationContext UiContext, whose thread {sleeps.Thread} is blocked in Thread.Sleep", waits.WaitingOn?.FullText);
        Assert.Equal(sleeps.Id, waits.WaitingOn?.Stack);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_context_with_a_second_thread_is_not_a_deadlock(string build)
    {
        Situation found = Situation.Look(build, "served");
        Assert.All(found.Stacks, stack => Assert.Equal(StackState.Blocked, stack.State));
        Assert.Contains(found.Stacks, stack => MarkedIn(found, stack).Contains("PatientAsync@patient"));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void An_exclusive_scheduler_whose_task_waits_for_what_it_should_run_is_deadlocked(string build)
    {
        Situation found = Situation.Look(build, "exclusive");
        LogicalStack stack = Assert.Single(found.Stacks);
        Assert.Equal(StackState.Deadlocked, stack.State);
        Assert.Matches(@"^done; to be resumed on TaskScheduler \w+, whose thread \d+ is blocked in Task[.]Result$", stack.WaitingOn?.FullText);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_method_that_is_queued_to_a_pool_without_a_free_worker_says_so(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "starved"))
        {
            LogicalStack waits = found.Stacks.Single(s => s.Frames[0].Name == "AskAsync");
            Assert.Equal((StackState.Scheduled, WaitKind.Pool), (waits.State, waits.WaitingOn!.Kind));
            Assert.Equal("done; queued to the thread pool, which has no free worker: 4 of 4 busy, 1 item queued", waits.WaitingOn.FullText);
            Assert.Equal(4, found.Stacks.Count(s => s.WaitingOn?.Text == "Thread.Sleep"));
        }
    }

    private static string? Difference(Situation found, LogicalStack stack, TruthThread recorded)
    {
        int holder = found.Truth.Threads!.FirstOrDefault(t => t.Name == recorded.HeldBy)?.Thread ?? 0;
        string wait = recorded.Wait.Replace("{holder}", $"{holder}", StringComparison.Ordinal);
        string? named = stack.WaitingOn?.Stack is { } id ? found.Stacks.Single(s => s.Id == id).Thread?.ToString() : null;
        bool isRight = stack.Frames.Any(f => f.Line == recorded.Line) && WaitPattern.Fits(wait, stack.WaitingOn?.FullText ?? "") && (recorded.HeldBy is null ? named is null : named == $"{holder}");
        return isRight ? null : $"{recorded.Name}: {stack.WaitingOn?.FullText} -> {named} in {found.OutermostFirst(stack)}, not {wait} -> {holder} at line {recorded.Line}";
    }

    private static string[] MarkedIn(Situation found, LogicalStack stack)
        => [.. found.OutermostFirst(stack).Split(" < ").Where(frame => !frame.EndsWith("@?", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
}
