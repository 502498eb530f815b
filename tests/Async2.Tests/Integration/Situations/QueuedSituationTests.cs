using Async2.Analysis.Model;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// Methods that could go on, and stand in a queue of which no task tells: what holds them up is said, in both builds, live and from a dump.
/// </summary>
[Trait("Category", "Integration")]
public sealed class QueuedSituationTests
{
    public static TheoryData<string> Builds => ["Situations", "Situations.Classic"];

    [Theory]
    [InlineData("Situations", "yielded", "YieldAsync", "SynchronizationContext UiContext")]
    [InlineData("Situations.Classic", "yielded", "YieldAsync", "SynchronizationContext UiContext")]
    [InlineData("Situations", "yieldedTask", "YieldAsync", "TaskScheduler ConcurrentExclusiveTaskScheduler")]
    [InlineData("Situations.Classic", "yieldedTask", "YieldAsync", "TaskScheduler ConcurrentExclusiveTaskScheduler")]
    [InlineData("Situations", "returned", "CallAsync", "SynchronizationContext UiContext")]
    [InlineData("Situations.Classic", "returned", "CallAsync", "SynchronizationContext UiContext")]
    [InlineData("Situations", "returnedTask", "CallAsync", "TaskScheduler ConcurrentExclusiveTaskScheduler")]
    [InlineData("Situations.Classic", "returnedTask", "CallAsync", "TaskScheduler ConcurrentExclusiveTaskScheduler")]
    public void Work_posted_to_the_thread_that_waits_for_it_is_a_deadlock(string build, string situation, string method, string place)
    {
        foreach (Situation found in Situation.LookTwice(build, situation))
        {
            // Another thread of "yielded" has nothing to do, in a context of its own.
            LogicalStack stack = found.Stacks.Single(s => s.WaitingOn?.Text.StartsWith("BlockingCollection", StringComparison.Ordinal) != true);
            Assert.Equal((StackState.Deadlocked, method), (stack.State, stack.Frames[0].Name));
            Assert.Equal($"done; to be resumed on {place}, whose thread {stack.Thread} is blocked in Task.Wait", stack.WaitingOn?.FullText);
            Assert.Equal(situation == "yielded" ? 2 : 1, found.Stacks.Length);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_waiter_behind_one_that_keeps_the_thread_names_the_thread(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "listed"))
        {
            LogicalStack waits = found.Stacks.Single(s => s.Frames[0].Name == "SecondAsync"), sleeps = found.Stacks.Single(s => s != waits);
            Assert.Equal((StackState.Scheduled, WaitKind.Thread), (waits.State, waits.WaitingOn!.Kind));
            Assert.Equal($"done; to be resumed by thread {sleeps.Thread}, which is blocked in Thread.Sleep", waits.WaitingOn.FullText);
            Assert.Equal((found.LineOf("first"), sleeps.Id), (sleeps.Frames[0].Line, waits.WaitingOn.Stack));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void An_item_for_a_reader_that_has_no_worker_is_in_the_pools_queue(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "channel"))
        {
            LogicalStack waits = found.Stacks.Single(s => s.Frames[0].Name == "ReadAsync");
            Assert.Equal((StackState.Scheduled, WaitKind.Pool), (waits.State, waits.WaitingOn!.Kind));
            Assert.Equal("done; queued to the thread pool, which has no free worker: 4 of 4 busy, 1 item queued", waits.WaitingOn.FullText);
            Assert.Equal(4, found.Stacks.Count(s => s.WaitingOn?.Text == "Thread.Sleep"));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void An_item_for_a_reader_with_a_context_is_posted_there(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "channelContext"))
        {
            LogicalStack waits = found.Stacks.Single(s => s.Frames[0].Name == "ReadAsync"), sleeps = found.Stacks.Single(s => s != waits);
            Assert.Equal(StackState.Scheduled, waits.State);
            Assert.Equal($"done; to be resumed on SynchronizationContext UiContext, whose thread {sleeps.Thread} is blocked in Thread.Sleep", waits.WaitingOn?.FullText);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_reader_with_a_context_and_nothing_to_read_waits_for_the_channel(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "channelEmpty"))
        {
            LogicalStack waits = found.Stacks.Single(s => s.Frames[0].Name == "ReadAsync");
            Assert.Equal((StackState.Awaiting, "Channel<int> read, Marks.Kept[...], 0 items, 1 reader waiting"), (waits.State, waits.WaitingOn?.FullText));
        }
    }

    // Optimised code of the writer has what it waits for among its own variables.
    [Theory]
    [InlineData("Situations", "0")]
    [InlineData("Situations", "1")]
    [InlineData("Situations.Classic", "0")]
    public void A_writer_that_waits_in_its_last_call_waits_for_the_channel(string build, string tiered)
    {
        Situation found = Situation.Look(build, "channelFull", ("DOTNET_TieredCompilation", tiered));
        LogicalStack waits = Assert.Single(found.Stacks);
        Assert.Equal((found.Truth.Marks!["hand on"], StackState.Awaiting), (waits.Frames[0].Line, waits.State));
        Assert.StartsWith("Channel<int> write, ", waits.WaitingOn?.FullText, StringComparison.Ordinal);
        Assert.Contains("1 of 1 items, 1 writer waiting", waits.WaitingOn?.FullText, StringComparison.Ordinal);
    }

    // Nothing on the stack of the other thread leads to its context then; the thread itself knows it.
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_thread_that_serves_another_context_of_the_type_is_not_counted_in_optimised_code(string build)
    {
        Finding finding = Assert.Single(Situation.Look(build, "yielded", ("DOTNET_TieredCompilation", "0")).Findings);
        Assert.Equal(("context-deadlock", Confidence.Certain), (finding.Rule, finding.Confidence));
    }
}
