using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>Chains that wait for each other: each frame is shown once, the word is "deadlocked", and the walk ends.</summary>
public sealed class DeadlockDrawingTests
{
    private const string Three = """
        t1 ThunkTask -> a1 ; a1 Continuation Shop.A:1 -> a2 ; a2 Continuation Shop.A.Outer:2 -> end
        t2 ThunkTask -> b1 ; b1 Continuation Shop.B:3 -> end
        t3 ThunkTask -> c1 ; c1 Continuation Shop.C:4 -> end
        """;

    [Fact]
    public void Two_chains() => Sees(Three + "\n t1 awaitedBy t2 ; t2 awaitedBy t1", """
        s1 deadlocked Task -> s1: Shop.A:1 < Shop.A.Outer:2 < Shop.B:3
        s2 awaiting: Shop.C:4
        """);

    [Fact]
    public void Three_chains() => Sees(Three + "\n t1 awaitedBy t3 ; t3 awaitedBy t2 ; t2 awaitedBy t1",
        "s1 deadlocked Task -> s1: Shop.A:1 < Shop.A.Outer:2 < Shop.C:4 < Shop.B:3");

    [Fact]
    public void A_chain_that_waits_for_itself() => Sees("t1 ThunkTask -> a1 ; a1 Continuation Shop.A:1 -> end ; t1 awaitedBy t1",
        "s1 deadlocked Task -> s1: Shop.A:1");

    [Theory]
    [InlineData("t1 awaitedBy t2 t3 ; t2 awaitedBy t1")]
    [InlineData("t1 awaitedBy t3 t2 ; t2 awaitedBy t1")]
    public void A_waiter_outside_a_cycle_is_not_part_of_it(string edges) => Sees(Three + "\n" + edges, """
        s1 deadlocked Task -> s1: Shop.A:1 < Shop.A.Outer:2 < Shop.B:3
        s2 awaiting Task -> s1: Shop.C:4
        """);

    [Fact]
    public void A_waiter_of_the_last_node_of_a_cycle_does_not_continue_it() => Sees(Three + "\n t1 awaitedBy t2 ; t2 awaitedBy t3 t1", """
        s1 deadlocked Task -> s1: Shop.A:1 < Shop.A.Outer:2 < Shop.B:3
        s2 awaiting Task -> s1: Shop.C:4
        """);

    [Fact]
    public void Two_cycles_are_two_stacks() => Sees(Three + """

        t4 ThunkTask -> d1 ; d1 Continuation Shop.D:5 -> end
        t1 awaitedBy t4 ; t4 awaitedBy t1 ; t2 awaitedBy t3 ; t3 awaitedBy t2
        """, """
        s1 deadlocked Task -> s1: Shop.A:1 < Shop.A.Outer:2 < Shop.D:5
        s2 deadlocked Task -> s2: Shop.B:3 < Shop.C:4
        """);

    [Fact]
    public void The_same_deadlock_many_times_is_one_group() => Sees("""
        t1 ThunkTask -> a1 ; a1 Continuation Shop.A:1 -> end
        t2 ThunkTask -> b1 ; b1 Continuation Shop.B:2 -> end
        t3 ThunkTask -> b2 ; b2 Continuation Shop.B:2 -> end
        t4 ThunkTask -> a2 ; a2 Continuation Shop.A:1 -> end
        t1 awaitedBy t2 ; t2 awaitedBy t1 ; t3 awaitedBy t4 ; t4 awaitedBy t3
        """,
        "s1 x2 deadlocked Task -> s1: Shop.A:1 < Shop.B:2");

    [Fact]
    public void A_cycle_with_an_invisible_chain_ends() => Sees("""
        t1 ThunkTask -> nowhere
        t2 ThunkTask -> b1 ; b1 Continuation Shop.B:2 -> end
        t1 awaitedBy t2 ; t2 awaitedBy t1
        """, """
        s1 deadlocked Task -> s1: Shop.B:2 < <unreadable chain>
        ! A2D1004
        """);

    private static void Sees(string heap, string stacks) => Assert.Equal(stacks, TextHeap.Draw(heap).Show());
}
