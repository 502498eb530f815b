using Async2.Analysis;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>What a user sees of a heap that is in order. Above: the heap as a drawing. Below: the stacks, innermost frame first.</summary>
public sealed class StackDrawingTests
{
    [Theory]
    [InlineData("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:17 -> c2 ; c2 Continuation Shop.Main:5 -> end
        """,
        "s1 awaiting: Shop.Pay:17 < Shop.Main:5")]
    // A chain whose last continuation is its own end, without one for the result.
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:17 -> null", "s1 awaiting: Shop.Pay:17")]
    // Nothing is suspended: the method has returned, and only its result waits to be taken.
    [InlineData("t1 ThunkTask -> c1 ; c1 Final ; t2 ThunkTask -> null", "")]
    public void A_chain_is_a_stack(string heap, string stacks) => Sees(heap, stacks);

    [Fact]
    public void The_last_continuation_is_not_a_frame()
    {
        var heap = TextHeap.Draw("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:17 -> end");
        Assert.Equal(2, heap.Index.Frames.Count);
        Assert.Equal("s1 awaiting: Shop.Pay:17", heap.Show());
    }

    [Fact]
    public void Frames_of_the_runtime_are_folded_unless_requested()
    {
        const string heap = "t1 ThunkTask -> c1 ; c1 Continuation [Task.Delay] -> c2 ; c2 Continuation Shop.Main:5 -> end";
        Assert.Equal("s1 awaiting: Shop.Main:5", TextHeap.Draw(heap).Show());
        Assert.Equal("s1 awaiting: [Task.Delay] < Shop.Main:5", TextHeap.Draw(heap).Show(new AnalysisOptions { IncludeFramework = true }));
    }

    [Fact]
    public void A_chain_goes_on_in_the_chain_that_waits_for_its_task() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Inner:1 -> end
        t2 ThunkTask -> c2 ; c2 Continuation Shop.Middle:2 -> end
        t3 ThunkTask -> c3 ; c3 Continuation Shop.Outer:3 -> end
        t1 awaitedBy t2 ; t2 awaitedBy t3
        """,
        "s1 awaiting: Shop.Inner:1 < Shop.Middle:2 < Shop.Outer:3");

    [Fact]
    public void A_chain_is_joined_also_when_only_its_leaf_knows() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Inner:1 -> end
        t2 ThunkTask -> c2 ; c2 Continuation [AsyncHelpers.Await] -> c3 ; c3 Continuation Shop.Outer:3 -> end
        c2 awaits t1
        """,
        "s1 awaiting: Shop.Inner:1 < Shop.Outer:3");

    [Fact]
    public void The_first_waiter_continues_the_stack_and_the_others_reference_it() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Refresh:1 -> end
        t2 ThunkTask -> c2 ; c2 Continuation Shop.First:2 -> end
        t3 ThunkTask -> c3 ; c3 Continuation Shop.Second:3 -> c4 ; c4 Continuation Shop.Main:4 -> end
        t4 ThunkTask -> c5 ; c5 Continuation Shop.Third:5 -> end
        t1 awaitedBy t2 t3 t4
        """,
        """
        s1 awaiting: Shop.Refresh:1 < Shop.First:2
        s2 awaiting Task -> s1: Shop.Second:3 < Shop.Main:4
        s3 awaiting Task -> s1: Shop.Third:5
        """);

    [Fact]
    public void A_waiter_of_a_later_waiter_continues_its_stack() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Refresh:1 -> end
        t2 ThunkTask -> c2 ; c2 Continuation Shop.First:2 -> end
        t3 ThunkTask -> c3 ; c3 Continuation Shop.Second:3 -> end
        t4 ThunkTask -> c4 ; c4 Continuation Shop.Outer:4 -> end
        t1 awaitedBy t2 t3 ; t3 awaitedBy t4
        """,
        """
        s1 awaiting: Shop.Refresh:1 < Shop.First:2
        s2 awaiting Task -> s1: Shop.Second:3 < Shop.Outer:4
        """);

    [Fact]
    public void Elided_frames_stand_between_the_two_that_prove_them() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Leaf:1 -> c2
        c2 Continuation Shop.Outer:9+Shop.Middle:5+Shop.Inner:3 -> end
        """,
        "s1 awaiting: Shop.Leaf:1 < (Shop.Inner:3) < (Shop.Middle:5) < Shop.Outer:9");

    [Fact]
    public void Below_the_innermost_frame_elided_frames_are_shown_only_if_the_wait_is_proven()
    {
        const string heap = "t1 ThunkTask -> c1 ; c1 Continuation Shop.Outer:9+Shop.Inner:3 -> end";
        Assert.Equal("s1 awaiting: Shop.Outer:9", TextHeap.Draw(heap).Show());
        Assert.Equal(
            "s1 awaiting Task.Delay: (Shop.Inner:3) < Shop.Outer:9",
            TextHeap.Draw(heap + "; c1 awaits System.Threading.Tasks.Task+DelayPromise proven").Show());
    }

    [Theory]
    [InlineData("System.Threading.Tasks.Task+DelayPromise", "awaiting Task.Delay")]
    [InlineData("System.Threading.SemaphoreSlim+TaskNode", "awaiting SemaphoreSlim")]
    [InlineData("System.Threading.Tasks.Task+WhenAllPromise", "awaiting Task.WhenAll")]
    [InlineData("Shop.OwnPromise", "awaiting OwnPromise")]
    [InlineData("System.Threading.Tasks.Task+DelayPromise completed", "scheduled Task.Delay")]
    public void The_wait_of_the_leaf_is_shown(string awaited, string said)
        => Sees($"t1 ThunkTask -> c1 ; c1 Continuation [Await] -> c2 ; c2 Continuation Shop.Main:5 -> end ; c1 awaits {awaited}",
            $"s1 {said}: Shop.Main:5");

    [Fact]
    public void Locals_of_a_user_method_are_not_mistaken_for_the_awaited_object()
        => Sees("t1 ThunkTask -> c1 ; c1 Continuation Shop.Main:5 -> end ; c1 awaits Shop.SomeTask", "s1 awaiting: Shop.Main:5");

    [Fact]
    public void A_running_chain_does_not_show_frames_that_returned_or_its_old_line() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.Returned:1 -> c2
        c2 Continuation Shop.Running:2 -> c3 ; c3 Continuation Shop.Main:3 -> end
        t1 runs c2 on 7
        """,
        "s1 active on 7: Shop.Running < Shop.Main:3");

    [Fact]
    public void A_frame_of_the_runtime_stays_folded_while_a_thread_runs_it() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation [AsyncHelpers.Await] -> c2 ; c2 Continuation Shop.Main:2 -> end
        t1 runs c1 on 7
        """,
        "s1 active on 7: Shop.Main:2");

    [Fact]
    public void A_waiter_of_an_invisible_chain_waits_for_its_task() => Sees("""
        t1 ThunkTask -> null
        t2 ThunkTask -> c2 ; c2 Continuation Shop.Main:5 -> end
        t1 awaitedBy t2
        """,
        "s1 awaiting Task: Shop.Main:5");

    private static void Sees(string heap, string stacks) => Assert.Equal(stacks, TextHeap.Draw(heap).Show());
}
