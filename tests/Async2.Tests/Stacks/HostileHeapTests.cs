using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>Heaps that no valid runtime makes: torn, corrupt or made to hurt. The walk ends, keeps what it has, and says so.</summary>
public sealed class HostileHeapTests
{
    [Fact]
    public void A_chain_that_leads_to_its_head_is_shown_once() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> c2 ; c2 Continuation Shop.B:2 -> c1
        """, """
        s1 awaiting: Shop.A:1 < Shop.B:2
        ! A2D1002
        """);

    [Fact]
    public void A_chain_with_a_cycle_in_the_middle_is_shown_once() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> c2 ; c2 Continuation Shop.B:2 -> c3
        c3 Continuation Shop.C:3 -> c4 ; c4 Continuation Shop.D:4 -> c3
        """, """
        s1 awaiting: Shop.A:1 < Shop.B:2 < Shop.C:3 < Shop.D:4
        ! A2D1002
        """);

    [Fact]
    public void A_continuation_that_is_its_own_caller_is_shown_once()
        => Sees("t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> c1", "s1 awaiting: Shop.A:1\n! A2D1002");

    [Fact]
    public void A_chain_into_nowhere_keeps_its_frames_up_to_there()
        => Sees("t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> nowhere", "s1 awaiting: Shop.A:1\n! A2D1001");

    [Fact]
    public void A_chain_into_a_task_keeps_its_frames_up_to_there()
        => Sees("t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> t1", "s1 awaiting: Shop.A:1\n! A2D1001");

    [Fact]
    public void A_head_that_is_not_a_continuation_is_reported() => Sees("t1 ThunkTask -> t1 ; t2 ThunkTask -> nowhere", """
        s1 x2 awaiting Task: <unreadable chain>
        ! A2D1004
        ! A2D1004
        """);

    [Fact]
    public void Two_tasks_with_one_chain_show_it_once() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> c3
        t2 ThunkTask -> c2 ; c2 Continuation Shop.B:2 -> c3
        c3 Continuation Shop.Main:3 -> end
        """, """
        s1 awaiting: Shop.A:1 < Shop.Main:3
        s2 awaiting: Shop.B:2
        ! A2D1004
        """);

    [Fact]
    public void A_chain_that_waits_for_two_tasks_is_shown_with_the_first() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> end
        t2 ThunkTask -> c2 ; c2 Continuation Shop.B:2 -> end
        t3 ThunkTask -> c3 ; c3 Continuation Shop.Main:3 -> end
        t1 awaitedBy t3 ; t2 awaitedBy t3
        """, """
        s1 awaiting: Shop.A:1 < Shop.Main:3
        s2 awaiting: Shop.B:2
        ! A2D1004
        """);

    [Fact]
    public void A_waiter_that_stands_twice_in_a_list_is_shown_once() => Sees("""
        t1 ThunkTask -> c1 ; c1 Continuation Shop.A:1 -> end
        t2 ThunkTask -> c2 ; c2 Continuation Shop.B:2 -> end
        t1 awaitedBy t2 nowhere c1 t2
        """,
        "s1 awaiting: Shop.A:1 < Shop.B:2");

    private static void Sees(string heap, string stacks) => Assert.Equal(stacks, TextHeap.Draw(heap).Show());
}
