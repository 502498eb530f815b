using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>The first line: what a person reads when woken up.</summary>
public sealed class SummaryTests
{
    [Fact]
    public void Many_stacks_name_the_largest_group()
        => Verdict("412 stacks suspended in 2 groups; the largest, 400x, waits for SemaphoreSlim", new SnapshotDrawing()
            .Stack(400, "SemaphoreSlim, 0 free", "A.B()").Stack(12, "Task", "C.D()"));

    [Fact]
    public void One_stack_is_singular() => Verdict("1 stack suspended; it waits for Task.Delay", new SnapshotDrawing().Stack(1, "Task.Delay", "A.B()"));

    [Fact]
    public void One_group_says_that_all_are_equal() => Verdict("12,345 stacks suspended, all alike; all wait for channel reader", new SnapshotDrawing().Stack(12345, "channel reader", "A.B()"));

    [Fact]
    public void Different_stacks_have_no_largest_group()
        => Verdict("2 stacks suspended, no two alike", new SnapshotDrawing().Stack(1, "Task", "A.B()").Stack(1, "Task", "C.D()"));

    [Fact]
    public void No_stack_says_so() => Verdict("no async stacks: no async method is suspended or running", new SnapshotDrawing());

    [Fact]
    public void No_stack_in_a_partial_answer_is_not_a_proof() => Verdict("no async stacks found, but the answer is partial", new SnapshotDrawing().Incomplete());

    [Fact]
    public void An_unknown_wait_names_the_innermost_method()
        => Verdict("3 stacks suspended in 2 groups; the largest, 2x, is in A.B()", new SnapshotDrawing().Stack(2, null, "A.B()", "A.Main()").Stack(1, null, "C.D()"));

    [Fact]
    public void Idle_loops_are_counted_after_the_rest()
        => Verdict("3 stacks suspended in 2 groups; the largest, 2x, waits for SemaphoreSlim; and 2,700 idle loops", new SnapshotDrawing()
            .Stack(2, "SemaphoreSlim", "A.B()").Stack(1, "Task", "C.D()")
            .Stack(1500, "Socket receive", "K.R()").With(Idle).Stack(1200, "Pipe read", "K.S()").With(Idle));

    [Fact]
    public void An_answer_with_only_idle_loops_says_so()
        => Verdict("12 idle loops, and no other stack", new SnapshotDrawing().Stack(12, "Socket receive", "K.R()").With(Idle));

    private static LogicalStack Idle(LogicalStack stack) => stack with { Idle = "Kestrel receive" };

    [Fact]
    public void Other_states_are_counted()
        => Verdict("6 stacks in 3 groups: 3 awaiting, 2 active, 1 blocked; the largest, 3x, waits for Task", new SnapshotDrawing()
            .Stack(3, "Task", "A.B()").Stack(2, StackState.Active, null, "C.D()").Stack(1, StackState.Blocked, null, "E.F()"));

    [Theory]
    [InlineData(StackState.Deadlocked, "2 stacks deadlocked, no two alike")]
    [InlineData(StackState.Awaiting, "2 stacks suspended, no two alike")]
    public void A_common_state_is_one_word(StackState state, string expected)
        => Verdict(expected, new SnapshotDrawing().Stack(1, state, null, "A.B()").Stack(1, state, null, "C.D()"));

    [Fact]
    public void A_comma_inside_brackets_does_not_end_the_short_name()
        => Verdict("1 stack suspended; it waits for Task<Map<int, string>>", new SnapshotDrawing().Stack(1, "Task<Map<int, string>>, running", "A.B()"));

    [Fact]
    public void A_partial_answer_is_marked_in_the_first_line()
        => Verdict("at least 2 stacks suspended, all alike; all wait for Task", new SnapshotDrawing().Stack(2, "Task", "A.B()").Incomplete());

    [Fact]
    public void A_filter_is_named_with_the_stacks_that_match()
        => Verdict("3 of 410 stacks match --method Pay, in 2 groups: 1 awaiting, 2 blocked; the largest, 2x, waits for Monitor.Enter", new SnapshotDrawing()
            .Stack(2, StackState.Blocked, new WaitingOn(WaitKind.Lock, "Monitor.Enter"), "A.B()").Stack(1, "Task", "C.D()").Of(410, 7, "--method Pay"));

    [Fact]
    public void One_match_is_singular()
        => Verdict("1 of 410 stacks matches --thread 3; it waits for Task", new SnapshotDrawing().Stack(1, "Task", "A.B()").Of(410, 7, "--thread 3"));

    [Fact]
    public void No_match_says_so() => Verdict("none of 410 stacks matches --method Nope", new SnapshotDrawing().Of(410, 7, "--method Nope"));

    [Fact]
    public void No_match_in_a_partial_answer_is_not_a_proof()
        => Verdict("none of at least 410 stacks matches --method Nope", new SnapshotDrawing().Of(410, 7, "--method Nope").Incomplete());

    [Fact]
    public void Findings_come_first()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, "Task", "A.B()")
            .Finding(Severity.Error, "deadlock", "s1 waits for itself", "s1");
        string[] lines = Rendered.Text(drawing.Snapshot()).Split('\n');
        Assert.Equal("error: deadlock  s1 waits for itself  (certain; s1)", lines[0]);
        Assert.Equal("", lines[1]);
        Assert.Equal("1 stack suspended; it waits for Task", lines[2]);
    }

    private static void Verdict(string expected, SnapshotDrawing drawing)
    {
        Assert.Equal(expected, SummaryText.Sentence(drawing.Snapshot()));
        Assert.StartsWith(expected + "\n", Rendered.Text(drawing.Snapshot()));
    }
}
