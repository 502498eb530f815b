using Async2.Dump.Doctor;
using Async2.Tests.Support;

namespace Async2.Tests.Tool;

/// <summary>What the doctor makes of machines that this one is not.</summary>
public sealed class ChecksTests
{
    [Theory]
    [InlineData(0, false, "Ok")]
    [InlineData(0, true, "Ok")]
    [InlineData(1, false, "Fail")]
    [InlineData(1, true, "Ok")]
    [InlineData(2, false, "Fail")]
    [InlineData(2, true, "Ok")]
    [InlineData(3, true, "Fail")]
    public void Ptrace(int scope, bool capable, string level) => Assert.Equal(level, PtraceCheck.Machine(scope, capable).Level.ToString());

    [Fact]
    public void A_missing_dac_fails_and_a_single_file_program_warns()
    {
        using var folder = new TemporaryFolder();
        Assert.Equal(CheckLevel.Fail, DacCheck.Check(folder.Path, "1").Level);
        File.WriteAllText(folder.PathOf("libmscordaccore.so"), "");
        Assert.Equal(CheckLevel.Ok, DacCheck.Check(folder.Path, "1").Level);
        Assert.Equal(CheckLevel.Warn, DacCheck.Check("", "1").Level);
    }

    [Fact]
    public void Modules_are_sorted_by_whether_they_have_lines()
    {
        SnapshotDrawing drawing = new SnapshotDrawing().Stack(1, "Task", "A.B() | a.cs:1", "C.D()")
            .With(stack => stack with { Frames = [stack.Frames[0], stack.Frames[1] with { Module = "Vendor.dll" }] });
        Assert.Equal(["Ok Shop.dll has source lines", "Warn Vendor.dll has none: its frames show no lines"],
            TargetCheck.Symbols(drawing.Snapshot()).Select(result => $"{result.Level} {result.Text}"));
    }

    [Fact]
    public void All_that_is_not_ok_names_a_cure()
    {
        CheckResult[] results = [PtraceCheck.Machine(1, false), PtraceCheck.Machine(3, true), DacCheck.Check("", "1"), DacCheck.Check("/none", "1")];
        Assert.All(results, result => Assert.False(string.IsNullOrEmpty(result.Cure)));
    }
}
