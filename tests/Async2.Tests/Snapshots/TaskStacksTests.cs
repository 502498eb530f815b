using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Snapshots;

/// <summary>Stacks of tasks without frames, which only those get who ask.</summary>
public sealed class TaskStacksTests
{
    private static string Name(int number) => $"<unreadable 0x{0x10000 + (number * 0x40):x}>";

    [Fact]
    public void Tasks_that_wait_for_one_another_are_one_stack()
        => Assert.Equal($"s1 awaiting a task: {Name(0)} < {Name(1)} < {Name(2)}", Show("q1 Plain; q2 Plain; q3 Plain; q1 awaitedBy q2; q2 awaitedBy q3"));

    [Fact]
    public void The_wait_of_an_async_method_is_shown_at_its_stack()
        => Assert.Equal("s1 awaiting: Shop.Pay:1", Show("t1 ThunkTask -> c1; c1 Continuation Shop.Pay:1 -> end; q1 Plain; q2 Plain; q1 awaitedBy q2; q2 awaitedBy t1"));

    [Fact]
    public void A_cycle_is_shown_once()
        => Assert.Equal($"s1 awaiting a task: {Name(0)} < {Name(1)}", Show("q1 Plain; q2 Plain; q1 awaitedBy q2; q2 awaitedBy q1"));

    [Fact]
    public void Two_that_lead_to_one_do_not_show_it_twice()
        => Assert.Equal($"s1 awaiting a task: {Name(0)} < {Name(2)}\ns2 awaiting a task: {Name(1)}", Show("q1 Plain; q2 Plain; q3 Plain; q1 awaitedBy q3; q2 awaitedBy q3"));

    [Fact]
    public void They_come_after_stacks_with_frames_and_are_counted()
    {
        TextHeap heap = TextHeap.Draw("t1 ThunkTask -> c1; c1 Continuation Shop.Pay:1 -> end; d1 Done; q1 Plain");
        var found = heap.Stacks();
        Assert.Equal([StackState.Awaiting, StackState.Awaiting, StackState.Completed], found.Stacks.Select(stack => stack.State));
        Assert.Equal((3, 3, 3), (found.Totals.Stacks, found.Totals.Frames, found.Totals.Groups));
    }

    [Fact]
    public void Filters_apply_to_them_too()
    {
        TextHeap heap = TextHeap.Draw("t1 ThunkTask -> c1; c1 Continuation Shop.Pay:1 -> end; d1 Done; q1 Plain");
        var completed = heap.Stacks(new AnalysisOptions { Query = new StackQuery { States = [StackState.Completed] } });
        Assert.Equal((3, 1), (completed.Totals.Stacks, completed.Matching!.Totals.Stacks));
        Assert.Equal(heap.AddressOf("d1"), completed.Stacks.Single().Task);
        var one = heap.Stacks(new AnalysisOptions { Query = new StackQuery { Address = heap.AddressOf("q1") } });
        Assert.Equal(heap.AddressOf("q1"), one.Stacks.Single().Frames[0].Address);
        Assert.Empty(heap.Stacks(new AnalysisOptions { Query = new StackQuery { Thread = 3 } }).Stacks);
    }

    private static string Show(string drawing) => TextHeap.Draw(drawing).Show(new AnalysisOptions { Coalesce = false });
}
