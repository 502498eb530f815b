using Async2.Analysis;
using Async2.Analysis.Nodes;
using Async2.Analysis.Query;
using Async2.Analysis.Threads;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>
/// Chains of .NET 11 that threads execute: their tasks lead nowhere, and the thread says where they go on. Drawings as of
/// <see cref="TextHeap"/>; <c>runsIn t1 c2</c> says that c2 is what comes next.
/// </summary>
public sealed class RunningChainTests
{
    [Fact]
    public void The_chain_goes_on_with_the_caller_of_what_runs() => Sees("""
        t1 ThunkTask -> null ; c2 Continuation Shop.Serve:8 -> c3 ; c3 Continuation Shop.Main:5 -> end
        x1 Thread 7 Shop.Spin:3 Shop.Pay:17 ; x1 runsIn t1 c2
        """, "s1 active on 7: |Shop.Spin:3| < |Shop.Pay:17| < Shop.Serve:8 < Shop.Main:5");

    [Fact]
    public void The_old_continuation_is_not_shown_again() => Sees("""
        t1 ThunkTask -> null ; c1 Continuation Shop.Pay:9 -> c2 ; c2 Continuation Shop.Main:5 -> end
        x1 Thread 7 Shop.Pay:17 ; x1 runsIn t1 c2
        """, "s1 active on 7: |Shop.Pay:17| < Shop.Main:5");

    [Fact]
    public void The_outermost_method_runs_alone() => Sees("""
        t1 ThunkTask -> null ; x1 Thread 7 Shop.Main:17 ; x1 runsIn t1 null
        """, "s1 active on 7: |Shop.Main:17|");

    [Fact]
    public void Its_waiters_follow() => Sees("""
        t1 ThunkTask -> null ; c2 Continuation Shop.Serve:8 -> end ; t1 awaitedBy t2
        t2 ThunkTask -> c4 ; c4 Continuation Shop.Main:5 -> end
        x1 Thread 7 Shop.Pay:17 ; x1 runsIn t1 c2
        """, "s1 active on 7: |Shop.Pay:17| < Shop.Serve:8 < Shop.Main:5");

    [Fact]
    public void A_task_without_a_chain_or_a_thread_is_in_transition() => Sees("""
        t1 ThunkTask -> null ; t1 awaitedBy t2
        t2 ThunkTask -> c4 ; c4 Continuation Shop.Main:5 -> end
        """, "s1 awaiting Task: Shop.Main:5\n! A2D1011");

    [Fact]
    public void A_thread_that_leads_into_nowhere_keeps_its_frames() => Sees("""
        t1 ThunkTask -> null ; x1 Thread 7 Shop.Pay:17 ; x1 runsIn t1 nowhere
        """, "s1 active on 7: |Shop.Pay:17| < <unreadable chain>\n! A2D1004");

    [Fact]
    public void A_cycle_behind_a_running_chain_is_shown_once() => Sees("""
        t1 ThunkTask -> null ; c2 Continuation Shop.A:1 -> c3 ; c3 Continuation Shop.B:2 -> c2
        x1 Thread 7 Shop.Pay:17 ; x1 runsIn t1 c2
        """, "s1 active on 7: |Shop.Pay:17| < Shop.A:1 < Shop.B:2\n! A2D1002");

    [Fact]
    public void Requested_tasks_are_kept()
    {
        HeapIndex drawn = TextHeap.Draw("t1 ThunkTask -> null").Index;
        var index = new HeapIndex(drawn.Layout, drawn.Frames, [], [], [], complete: true) { Tasks = [default], Resources = [1] };
        HeapIndex other = index.WithHeads(new Dictionary<ulong, ulong>());
        Assert.Same(index.Tasks, other.Tasks);
        Assert.Same(index.Resources, other.Resources);
    }

    private static void Sees(string drawing, string stacks)
    {
        TextHeap heap = TextHeap.Draw(drawing);
        ThreadSegment[] segments = [.. heap.Input.Segments.Select(s => s.RunsIn == 0 ? s : s with { HasLeftChain = true })];
        HeapIndex index = RunningChains.In(heap.Index, segments, heap.Problems);
        StackView found = DrawnModel.Ask(heap.Input with { Index = index, Segments = segments }, heap, new AnalysisOptions(), heap.Problems);
        Assert.Equal(stacks, StackText.Of(found.Stacks, heap.Problems.ToImmutable()));
    }
}
