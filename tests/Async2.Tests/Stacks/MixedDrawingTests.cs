using Async2.Analysis;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>State machines, combinators and threads beside chains: one logical stack from the leaf to the outermost waiter.</summary>
public sealed class MixedDrawingTests
{
    private const string Chain = "t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> c2 ; c2 Continuation Shop.B:2 -> end\n";

    [Fact]
    public void A_state_machine_awaits_a_chain_that_awaits_a_state_machine() => Sees(Chain + """
        m1 Machine Shop.Inner:5 ; m2 Machine Shop.Outer:6
        m1 awaitedBy t1 ; t1 awaitedBy m2
        """,
        "s1 awaiting: Shop.Inner:5 < Shop.A:1 < Shop.B:2 < Shop.Outer:6");

    [Fact]
    public void A_state_machine_has_what_it_awaits() => Sees("m1 Machine Shop.Inner:5 ; m2 Machine Shop.Outer:6 ; m2 awaits m1",
        "s1 awaiting: Shop.Inner:5 < Shop.Outer:6");

    [Fact]
    public void Folded_frames_are_counted_at_their_caller() => Sees("""
        m1 Machine {Net.Read:1} ; m2 Machine {Net.Fill:2} ; m3 Machine Shop.Load:3 ; m4 Machine {Web.Serve:4} ; m5 Machine {Web.Loop:5}
        m1 awaitedBy m2 ; m2 awaitedBy m3 ; m3 awaitedBy m4 ; m4 awaitedBy m5
        """,
        "s1 awaiting: +2 Shop.Load:3 < +1 Web.Loop:5");

    [Fact]
    public void A_stack_of_a_framework_alone_shows_its_outermost() => Sees("m1 Machine {Net.Read:1} ; m2 Machine {Net.Loop:2} ; m1 awaitedBy m2",
        "s1 awaiting: +1 Net.Loop:2");

    [Fact]
    public void All_frames_are_shown_on_request()
        => Assert.Equal("s1 awaiting: Net.Read:1 < Shop.Load:3", TextHeap.Draw("m1 Machine {Net.Read:1} ; m2 Machine Shop.Load:3 ; m1 awaitedBy m2")
            .Show(new AnalysisOptions { IncludeFramework = true }));

    [Fact]
    public void A_wait_for_all_names_the_pending_parts() => Sees(Chain + """
        m1 Machine Shop.One:5 ; m2 Machine Shop.Two:6 ; w WhenAll
        m1 awaitedBy w ; m2 awaitedBy w ; w awaitedBy t1
        """, """
        s1 awaiting -> s2+s3: Shop.A:1 < Shop.B:2
        s2 awaiting: Shop.One:5
        s3 awaiting: Shop.Two:6
        """);

    [Fact]
    public void Nested_combinators_are_resolved() => Sees("""
        m1 Machine Shop.One:5 ; m2 Machine Shop.All:6 ; w1 WhenAll ; w2 WhenAny
        m1 awaitedBy w1 ; w1 awaitedBy w2 ; w2 awaitedBy m2
        """, """
        s1 awaiting -> s2: Shop.All:6
        s2 awaiting: Shop.One:5
        """);

    [Fact]
    public void A_cycle_through_WhenAll_is_deadlocked() => Sees(
        "m1 Machine Shop.One:5 ; m2 Machine Shop.Two:6 ; w WhenAll ; m1 awaitedBy m2 ; m2 awaitedBy w ; w awaitedBy m1",
        "s1 deadlocked -> s1: Shop.One:5 < Shop.Two:6");

    [Fact]
    public void A_cycle_through_WhenAny_may_end() => Sees(
        "m1 Machine Shop.One:5 ; m2 Machine Shop.Two:6 ; w WhenAny ; m1 awaitedBy m2 ; m2 awaitedBy w ; w awaitedBy m1",
        "s1 awaiting -> s1: Shop.One:5 < Shop.Two:6");

    [Fact]
    public void A_thread_that_blocks_goes_on_from_what_it_waits_for() => Sees(Chain + "x Thread 7 Shop.Serve:8 {Sys.Run:9} ; x blocksOn t1",
        "s1 blocked on 7: Shop.A:1 < Shop.B:2 < |Shop.Serve:8|");

    [Fact]
    public void Two_threads_may_block_for_one_task() => Sees(Chain + """
        x Thread 7 Shop.Serve:8 ; x blocksOn t1
        y Thread 9 Shop.Serve:8 ; y blocksOn t1
        """, """
        s1 blocked on 7: Shop.A:1 < Shop.B:2 < |Shop.Serve:8|
        s2 blocked on 9 Task -> s1: |Shop.Serve:8|
        """);

    [Fact]
    public void Executing_frames_replace_resumed_ones() => Sees(Chain + "m Machine Shop.Main:4 ; t1 awaitedBy m ; x Thread 7 Shop.Spin:7 Shop.A:8 ; x runsIn t1 c1",
        "s1 active on 7: |Shop.Spin:7| < |Shop.A:8| < Shop.B:2 < Shop.Main:4");

    [Fact]
    public void A_running_state_machine_is_the_threads_own_frame() => Sees("m1 Machine Shop.A:1 ; m2 Machine Shop.B:2 ; m1 awaitedBy m2 ; x Thread 7 Shop.A:8 ; x runsIn m1",
        "s1 active on 7: |Shop.A:8| < Shop.B:2");

    [Fact]
    public void A_delegate_of_the_pool_has_callers_too() => Sees("p Task ; m Machine Shop.Load:2 ; p awaitedBy m ; x Thread 7 Shop.Work:8 ; x runs p",
        "s1 active on 7: |Shop.Work:8| < Shop.Load:2");

    [Fact]
    public void A_thread_without_async_work_is_not_shown() => Sees(Chain + "x Thread 7 Shop.Idle:8", "s1 awaiting: Shop.A:1 < Shop.B:2");

    [Fact]
    public void Threads_that_block_for_one_another_are_a_cycle() => Sees("""
        m1 Machine Shop.A:1 ; m2 Machine Shop.B:2
        x Thread 7 Shop.A:8 ; x runsIn m1 ; x blocksOn m2
        y Thread 9 Shop.B:9 ; y runsIn m2 ; y blocksOn m1
        """,
        "s1 deadlocked on 7 Task -> s1: |Shop.A:8| < |Shop.B:9|");

    private static void Sees(string heap, string stacks) => Assert.Equal(stacks, TextHeap.Draw(heap).Show());
}
