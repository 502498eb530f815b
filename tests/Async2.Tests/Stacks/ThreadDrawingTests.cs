using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>Threads that block, what they hold, and the cycles that this makes, alone and together with async methods.</summary>
public sealed class ThreadDrawingTests
{
    private const string Chain = "t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> c2 ; c2 Continuation Shop.B:2 -> end\n";

    [Fact]
    public void A_thread_that_blocks_is_shown_without_async_work() => Sees("x Thread 7 Shop.Sleep:8 ; x wants", "s1 blocked on 7 Lock: |Shop.Sleep:8|");

    [Fact]
    public void A_thread_that_runs_or_belongs_to_a_framework_is_not() => Sees("""
        x Thread 7 Shop.Spin:8
        y Thread 9 {Sys.Loop:9} ; y wants
        """, "");

    [Fact]
    public void The_holder_of_what_a_thread_wants_is_shown_and_named() => Sees("""
        x Thread 7 Shop.Want:8 ; x wants 9
        y Thread 9 Shop.Hold:9
        """, """
        s1 active on 9: |Shop.Hold:9|
        s2 blocked on 7 Lock -> s1: |Shop.Want:8|
        """);

    [Fact]
    public void A_convoy_is_one_group_that_waits_for_one_stack() => Sees("""
        x Thread 7 Shop.Want:8 ; x wants 9
        y Thread 9 Shop.Hold:9 ; y wants
        z Thread 11 Shop.Want:8 ; z wants 9
        """, """
        s1 x2 blocked on 7 Lock -> s2: |Shop.Want:8|
        s2 blocked on 9 Lock: |Shop.Hold:9|
        """);

    [Fact]
    public void Waiters_of_another_lock_are_another_group() => Sees("""
        x Thread 7 Shop.Want:8 ; x wants 9
        y Thread 9 Shop.Hold:9 ; y wants
        z Thread 11 Shop.Want:8 ; z wants 13
        v Thread 13 Shop.Keep:9 ; v wants
        """, """
        s1 blocked on 9 Lock: |Shop.Hold:9|
        s2 blocked on 13 Lock: |Shop.Keep:9|
        s3 blocked on 7 Lock -> s1: |Shop.Want:8|
        s4 blocked on 11 Lock -> s2: |Shop.Want:8|
        """);

    [Fact]
    public void Two_threads_that_want_each_others_lock_are_deadlocked() => Sees("""
        x Thread 7 Shop.A:8 ; x wants 9
        y Thread 9 Shop.B:9 ; y wants 7
        """, "s1 deadlocked on 7 Lock -> s1: |Shop.A:8| < |Shop.B:9|");

    [Fact]
    public void A_waiter_of_the_cycle_is_not_part_of_it() => Sees("""
        v Thread 5 Shop.C:3 ; v wants 9
        x Thread 7 Shop.A:8 ; x wants 9
        y Thread 9 Shop.B:9 ; y wants 7
        """, """
        s1 deadlocked on 7 Lock -> s1: |Shop.A:8| < |Shop.B:9|
        s2 blocked on 5 Lock -> s1: |Shop.C:3|
        """);

    [Fact]
    public void A_writer_waits_for_all_readers() => Sees("""
        x Thread 7 Shop.A:8 ; x wants 5 9
        u Thread 5 Shop.Read:3 ; u wants
        y Thread 9 Shop.B:9 ; y wants 7
        """, """
        s1 deadlocked on 7 Lock -> s1: |Shop.A:8| < |Shop.B:9|
        s2 blocked on 5 Lock: |Shop.Read:3|
        """);

    [Fact]
    public void A_cycle_can_include_locks_and_tasks() => Sees(Chain + """
        x Thread 7 Shop.Serve:8 ; x blocksOn t1
        y Thread 9 Shop.A:9 ; y runsIn t1 c1 ; y wants 7
        """, "s1 deadlocked on 9 Lock -> s1: |Shop.A:9| < Shop.B:2 < |Shop.Serve:8|");

    [Fact]
    public void The_thread_of_a_context_waits_for_posted_work() => Sees(Chain + """
        c1 awaits SomePromise completed proven ; t1 resumesOn 7
        x Thread 7 Shop.Main:8 ; x blocksOn t1
        """, "s1 deadlocked on 7 done; to be resumed on Ui -> s1: Shop.A:1 < Shop.B:2 < |Shop.Main:8|");

    [Fact]
    public void A_busy_context_delays_posted_work() => Sees(Chain + """
        c1 awaits SomePromise completed proven ; t1 resumesOn 7
        x Thread 7 Shop.Main:8 ; x wants
        """, """
        s1 scheduled done; to be resumed on Ui -> s2: Shop.A:1 < Shop.B:2
        s2 blocked on 7 Lock: |Shop.Main:8|
        """);

    [Fact]
    public void A_second_thread_of_the_context_may_come_to_it() => Sees(Chain + """
        c1 awaits SomePromise completed proven ; t1 resumesOn 7 9
        x Thread 7 Shop.Main:8 ; x blocksOn t1
        y Thread 9 Shop.Loop:9 ; y wants
        """, """
        s1 blocked on 7 done; to be resumed on Ui: Shop.A:1 < Shop.B:2 < |Shop.Main:8|
        s2 blocked on 9 Lock: |Shop.Loop:9|
        """);

    [Fact]
    public void Two_threads_that_both_wait_for_the_context_are_deadlocked() => Sees(Chain + """
        t2 ThunkTask -> d1 ; d1 Continuation Shop.D:4 -> end
        c1 awaits SomePromise completed proven ; t1 resumesOn 7 9
        d1 awaits SomePromise completed proven ; t2 resumesOn 7 9
        x Thread 7 Shop.Main:8 ; x blocksOn t1
        y Thread 9 Shop.Loop:9 ; y blocksOn t2
        """, """
        s1 deadlocked on 7 done; to be resumed on Ui -> s1: Shop.A:1 < Shop.B:2 < |Shop.Main:8|
        s2 blocked on 9 done; to be resumed on Ui -> s1: Shop.D:4 < |Shop.Loop:9|
        """);

    [Fact]
    public void A_stack_that_may_run_on_an_unreadable_thread_is_not_called_scheduled() => Sees(Chain + """
        c1 awaits SomePromise completed proven
        unseen 8
        """, "s1 awaiting done; perhaps running or blocked, on a thread that could not be read: Shop.A:1 < Shop.B:2");

    private static void Sees(string heap, string stacks) => Assert.Equal(stacks, TextHeap.Draw(heap).Show());
}
