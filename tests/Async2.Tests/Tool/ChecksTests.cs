using Async2.Analysis.Targets.Stopping;
using Async2.Dump.Doctor;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Tool;

/// <summary>What the doctor makes of machines that this one is not.</summary>
public sealed class ChecksTests
{
    [Fact]
    public void Processes_that_could_be_stopped_are_counted_and_the_others_are_listed_by_reason()
    {
        var other = new AccessDenial("it is Bob's", "ask Bob about PID");
        Assert.Equal(["Ok 2 processes could be stopped for a moment", "Warn processes 3, 4 could not be stopped: it is Bob's"],
            PtraceCheck.Tried([(1, null), (2, null), (3, other), (4, other)]).Select(result => $"{result.Level} {result.Text}"));
        CheckResult alone = PtraceCheck.Tried([(3, other)]).Single();
        Assert.Equal((CheckLevel.Fail, "ask Bob about 3"), (alone.Level, alone.Fix));
    }

    [Fact]
    public void A_process_without_a_runtime_has_no_dac()
    {
        CheckResult result = DacCheck.Check(1);
        Assert.Equal(CheckLevel.Fail, result.Level);
        Assert.False(string.IsNullOrEmpty(result.Fix));
    }

    [Fact]
    public void Modules_are_sorted_by_whether_they_have_lines()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, "Task", "A.B() | a.cs:1", "C.D()")
            .With(stack => stack with { Frames = [stack.Frames[0], stack.Frames[1] with { Module = "Vendor.dll" }] });
        Assert.Equal(["Ok Shop.dll has source lines", "Warn Vendor.dll has none: its frames show no lines"],
            TargetCheck.Symbols(drawing.Snapshot()).Select(result => $"{result.Level} {result.Text}"));
    }
}
