using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// Whole situations, in both builds: threads that block or run, cycles, shared tasks, all kinds of methods in one stack. Lines are
/// the program's own marks.
/// </summary>
[Trait("Category", "Integration")]
public sealed class SituationTests
{
    public static TheoryData<string> Builds => OlderRuntime.Framework is { } name ? [name] : ["Situations", "Situations.Classic"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void Every_kind_of_method_down_to_a_channel_is_one_stack(string build)
    {
        Situation found = Situation.Look(build, "mixed");
        LogicalStack stack = Assert.Single(found.Stacks);
        Assert.Equal("ServeAsync@serve < NextAsync@next < FetchAsync@fetch < TakeAsync@take", found.OutermostFirst(stack));
        Assert.Equal(StackState.Awaiting, stack.State);
        Assert.Equal(WaitKind.Channel, stack.WaitingOn?.Kind);
        Assert.Equal(FrameKind.Pooled, stack.Frames[0].Kind);
        Assert.Equal(FrameKind.StateMachine, stack.Frames[1].Kind);
        Assert.Contains("pooled", found.Families);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void The_version_of_the_runtime_is_that_of_its_configuration(string build)
    {
        if (OlderRuntime.Framework is not { } framework)
            return;
        Situation found = Situation.Look(build, "mixed");
        string config = File.ReadAllText(ScenarioBuild.SituationsClassicOn(framework).Assembly + ".runtimeconfig.json");
        Assert.Contains($"\"version\": \"{found.Runtime}\"", config, StringComparison.Ordinal);
        Assert.DoesNotContain("unknown version", found.Text, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Eight_pool_threads_that_block_are_eight_joined_stacks(string build)
    {
        Situation found = Situation.Look(build, "blocked");
        Assert.Equal(8, found.Stacks.Length);
        Assert.Equal(8, found.Stacks.Select(s => s.Thread).Distinct().Count());
        Assert.All(found.Stacks, stack => Assert.Equal(StackState.Blocked, stack.State));
        Assert.All(found.Stacks, stack => Assert.Matches(@"^Start\.lambda@\? < Serve@(wait|result|getResult) < AskAsync@ask < LookUpAsync@lookUp$", found.OutermostFirst(stack)));
        Assert.Equal([2, 3, 3], found.Stacks.CountBy(found.OutermostFirst).Select(c => c.Value).Order());
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Generated_code_that_blocks_is_joined_too(string build)
    {
        Situation found = Situation.Look(build, "generated");
        LogicalStack stack = Assert.Single(found.Stacks);
        Assert.Matches("^lambda_method[0-9]*@none < AskAsync@ask < LookUpAsync@lookUp$", found.OutermostFirst(stack));
        Assert.Equal("generated at run time, may have inlined methods that it calls", stack.Frames[^1].Note);
        Assert.Equal(StackState.Blocked, stack.State);
        Assert.NotNull(stack.Thread);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_running_method_shows_the_thread_and_its_callers(string build)
    {
        Situation found = Situation.Look(build, "running");
        Assert.All(found.Stacks, stack => Assert.Equal(StackState.Active, stack.State));
        Assert.All(found.Stacks, stack => Assert.NotNull(stack.Thread));
        Assert.Equal(
            [
                "AwaitsDelegateAsync@awaitsDelegate < AwaitsDelegateAsync.lambda@delegate < Spin@?",
                "ResumedAsync@resumed < ComputeAsync@compute < Spin@?",
                "Start.lambda@? < FreshAsync@fresh < StartAsync@start < Spin@?",
            ],
            found.Stacks.Select(found.OutermostFirst).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_has_just_ended_is_not_shown_although_it_is_on_the_stack_of_who_waited_for_it(string build)
    {
        Situation found = Situation.Look(build, "ended");
        // Older runtimes do not tell in which of the two calls of its line it is.
        string each = build.StartsWith("net", StringComparison.Ordinal) ? "none" : "each";
        Assert.Equal(
            ["Active SetAsync@set", "Awaiting LendAsync@lend", "Blocked AgainAsync@again < Block@?", "Blocked BlockAsync@block < Block@?", "Blocked BlockAsync@block < Block@?", "Blocked BlockAsync@block < Block@?", "Blocked BlockAsync@block < Block@?", $"Blocked EachAsync@{each} < Block@?"],
            found.Stacks.Select(stack => $"{stack.State} {found.OutermostFirst(stack)}").Order(StringComparer.Ordinal));
        Assert.All(found.Stacks, stack => Assert.NotNull(stack.Task));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_thread_that_blocks_at_a_lock_shows_its_operation(string build)
    {
        Situation found = Situation.Look(build, "locked");
        Assert.Equal(["HoldAsync@hold", "WantAsync@want"], found.Stacks.Select(found.OutermostFirst).Order(StringComparer.Ordinal));
        Assert.All(found.Stacks, stack => Assert.Equal(StackState.Blocked, stack.State));
        LogicalStack wants = found.Stacks.Single(s => s.Frames[0].Name == "WantAsync"), holds = found.Stacks.Single(s => s != wants);
        Assert.Matches(@"^Monitor[.]Enter, Locked[.]Till, object 0x[0-9a-f]+ \(object\), held by thread \d+", wants.WaitingOn?.FullText);
        Assert.Contains($"held by thread {holds.Thread}", wants.WaitingOn?.Detail);
        Assert.Equal(WaitKind.Lock, wants.WaitingOn?.Kind);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Two_methods_that_await_each_other_are_shown_as_a_cycle(string build)
    {
        Situation found = Situation.Look(build, "cycle");
        LogicalStack stack = Assert.Single(found.Stacks);
        Assert.Equal("ShipAsync@ship < PayAsync@pay", found.OutermostFirst(stack));
        Assert.Equal("Task", stack.WaitingOn?.Text);
        Assert.Equal(StackState.Deadlocked, stack.State);
        Assert.Equal(stack.Id, stack.WaitingOn?.Stack);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_cycle_through_a_combinator_is_deadlocked(string build)
    {
        Situation found = Situation.Look(build, "combinator-cycle");
        LogicalStack stack = Assert.Single(found.Stacks);
        Assert.Equal("ConfirmAsync@confirm < CollectAsync@collect", found.OutermostFirst(stack));
        Assert.Equal(StackState.Deadlocked, stack.State);
        Assert.Equal("Task.WhenAll", stack.WaitingOn?.Text);
        Assert.Equal([stack.Id], stack.WaitingOn?.Pending);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_diamond_of_thirty_levels_is_linear_in_its_nodes(string build)
    {
        Situation found = Situation.Look(build, "diamond");
        Assert.Equal(60, found.Stacks.Length);
        Assert.All(found.Stacks, stack => Assert.Single(stack.Frames));
        Assert.Equal(58, found.Stacks.Count(s => s.WaitingOn is { Text: "Task.WhenAll", Pending.Length: 2 }));
        Assert.True(found.Text.Length < 60 * 500, $"{found.Text.Length} characters");
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_chain_of_two_hundred_thousand_tasks_is_one_folded_stack(string build)
    {
        Situation found = Situation.Look(build, "deep");
        int frames = Assert.Single(found.Stacks).Frames.Count;
        Assert.True(frames == 200_001, $"{frames} frames\n{found.Text}");
        Assert.Contains("199,999 more times", found.Text);
        Assert.True(found.Text.Length < 2_000, $"{found.Text.Length} characters");
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_stack_with_several_waiters_is_shown_once_and_referenced_elsewhere(string build)
    {
        Situation found = Situation.Look(build, "sharing");
        var byOutermost = found.Stacks.ToLookup(s => s.Frames[^1].Name);
        LogicalStack first = byOutermost["FirstAsync"].Single(), second = byOutermost["SecondAsync"].Single();
        LogicalStack all = byOutermost["AllAsync"].Single(), any = byOutermost["AnyAsync"].Single();
        Assert.Equal("FirstAsync@first < FetchAsync@fetch", found.OutermostFirst(first));
        Assert.Equal("SecondAsync@second", found.OutermostFirst(second));
        Assert.Equal(first.Id, second.WaitingOn?.Stack);
        Assert.Equal([all.Id, second.Id], first.AwaitedBy.Order(StringComparer.Ordinal));
        Assert.Equal(3, all.WaitingOn?.Pending.Length);
        Assert.Contains(first.Id, all.WaitingOn!.Pending);
        Assert.Single(any.WaitingOn!.Pending);
        Assert.Equal("AfterwardsAsync@afterwards < PartAsync@part", found.OutermostFirst(byOutermost["AfterwardsAsync"].Single()));
    }
}
