using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Snapshots;

/// <summary>What counts as the same stack.</summary>
public sealed class CoalescingTests
{
    private const string Delay = "System.Threading.Tasks.Task+DelayPromise";
    private const string Semaphore = "System.Threading.SemaphoreSlim+TaskNode";

    [Fact]
    public void Equal_stacks_at_different_places_are_one_with_a_count()
    {
        var found = TextHeap.Draw(Two("Shop.Pay:17", "Shop.Pay:17")).Stacks();
        Assert.Equal("s1 x2 awaiting: Shop.Pay:17 < Shop.Main:5", StackText.Of(found.Stacks, []));
        Assert.Equal(new SnapshotTotals(2, 4, 1), found.Totals);
    }

    [Fact]
    public void The_addresses_of_a_group_are_those_of_its_first_stack()
    {
        var heap = TextHeap.Draw(Two("Shop.Pay:17", "Shop.Pay:17"));
        var stack = Assert.Single(heap.Stacks().Stacks);
        Assert.Equal(heap.AddressOf("t1"), stack.Task);
        Assert.Equal(heap.AddressOf("a1"), stack.Frames[0].Address);
    }

    [Fact]
    public void The_same_await_in_another_native_body_is_the_same_frame()
        => Sees(Two("Shop.Pay:17", "Shop.Pay:17@2"), "s1 x2 awaiting: Shop.Pay:17 < Shop.Main:5");

    [Fact]
    public void The_number_of_folded_frames_does_not_distinguish_stacks() => Sees("""
        t1 ThunkTask -> a1 ; a1 Continuation {Net.Send} -> a2 ; a2 Continuation Shop.Pay:17 -> end
        t2 ThunkTask -> b1 ; b1 Continuation {Net.Send} -> b2 ; b2 Continuation {Net.Retry} -> b3 ; b3 Continuation Shop.Pay:17 -> end
        """, "s1 x2 awaiting: +1 Shop.Pay:17");

    [Fact]
    public void Another_line_is_another_stack() => Sees(Two("Shop.Pay:17", "Shop.Pay:18"), """
        s1 awaiting: Shop.Pay:17 < Shop.Main:5
        s2 awaiting: Shop.Pay:18 < Shop.Main:5
        """);

    [Fact]
    public void Another_depth_is_another_stack() => Sees("""
        t1 ThunkTask -> a1 ; a1 Continuation Shop.Walk:1 -> a2 ; a2 Continuation Shop.Walk:1 -> end
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Walk:1 -> end
        """, """
        s1 awaiting: Shop.Walk:1
        s2 awaiting: Shop.Walk:1 < Shop.Walk:1
        """);

    [Fact]
    public void Another_wait_is_another_stack() => Sees(
        Two("[Await]", "[Await]") + $"; a1 awaits {Semaphore} ; b1 awaits {Delay}", """
        s1 awaiting SemaphoreSlim: Shop.Main:5
        s2 awaiting Task.Delay: Shop.Main:5
        """);

    [Fact]
    public void Another_state_is_another_stack() => Sees(
        Two("[Await]", "[Await]") + $"; a1 awaits {Delay} completed ; b1 awaits {Delay}", """
        s1 awaiting Task.Delay: Shop.Main:5
        s2 scheduled Task.Delay: Shop.Main:5
        """);

    [Fact]
    public void Waiters_of_different_stacks_are_different_and_of_equal_stacks_equal() => Sees("""
        g1 ThunkTask -> a1 ; a1 Continuation Shop.GateA:1 -> end ; g1 awaitedBy f1 w1
        g2 ThunkTask -> a2 ; a2 Continuation Shop.GateB:1 -> end ; g2 awaitedBy f2 w2
        g3 ThunkTask -> a3 ; a3 Continuation Shop.GateB:1 -> end ; g3 awaitedBy f3 w3
        f1 ThunkTask -> b1 ; b1 Continuation Shop.Main:2 -> end ; w1 ThunkTask -> d1 ; d1 Continuation Shop.Main:2 -> end
        f2 ThunkTask -> b2 ; b2 Continuation Shop.Main:2 -> end ; w2 ThunkTask -> d2 ; d2 Continuation Shop.Main:2 -> end
        f3 ThunkTask -> b3 ; b3 Continuation Shop.Main:2 -> end ; w3 ThunkTask -> d3 ; d3 Continuation Shop.Main:2 -> end
        """, """
        s1 x2 awaiting: Shop.GateB:1 < Shop.Main:2
        s2 x2 awaiting Task -> s1: Shop.Main:2
        s3 awaiting: Shop.GateA:1 < Shop.Main:2
        s4 awaiting Task -> s3: Shop.Main:2
        """);

    [Fact]
    public void Stacks_are_not_grouped_unless_requested()
    {
        var heap = TextHeap.Draw(Two("Shop.Pay:17", "Shop.Pay:17"));
        var found = heap.Stacks(new AnalysisOptions { Coalesce = false });
        Assert.Equal(new SnapshotTotals(2, 4, 2), found.Totals);
        Assert.Equal(["s1", "s2"], found.Stacks.Select(s => s.Id));
        Assert.Equal([heap.AddressOf("t1"), heap.AddressOf("t2")], found.Stacks.Select(s => s.Task!.Value));
    }

    private static string Two(string first, string second) => $"""
        t1 ThunkTask -> a1 ; a1 Continuation {first} -> a2 ; a2 Continuation Shop.Main:5 -> end
        t2 ThunkTask -> b1 ; b1 Continuation {second} -> b2 ; b2 Continuation Shop.Main:5 -> end
        """;

    private static void Sees(string heap, string stacks) => Assert.Equal(stacks, TextHeap.Draw(heap).Show());
}
