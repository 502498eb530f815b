using System.Diagnostics;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

public sealed class FoldTests
{
    [Theory]
    [InlineData("ab", "ab")]
    [InlineData("aab", "aab")]
    [InlineData("aaab", "a3 b")]
    [InlineData("baaaa", "b a4")]
    [InlineData("ababab", "(ab)3")]
    [InlineData("abab", "abab")]
    [InlineData("xababababy", "x (ab)4 y")]
    [InlineData("abcabcabc", "(abc)3")]
    [InlineData("ababababa", "(ab)4 a")]
    [InlineData("aaabbb", "a3 b3")]
    [InlineData("", "")]
    public void Runs(string frames, string expected)
    {
        List<FrameRun> runs = FrameFold.Fold([.. frames.Select(c => SnapshotDrawing.Frame($"X.{c}()"))]);
        Assert.Equal(expected.Replace(" ", ""), string.Concat(runs.Select(run => Draw(frames, run))));
    }

    [Fact]
    public void The_same_method_at_another_line_is_another_frame()
        => Assert.Equal(3, FrameFold.Fold([.. Enumerable.Range(1, 3).Select(line => SnapshotDrawing.Frame($"X.A() | a.cs:{line}"))]).Count);

    [Fact]
    public void Frames_with_other_locals_or_other_folded_ones_are_other_frames()
    {
        LogicalFrame[] With(Func<int, LogicalFrame> frame) => [.. Enumerable.Range(1, 4).Select(frame)];
        LogicalFrame plain = SnapshotDrawing.Frame("X.A()");
        Assert.Single(FrameFold.Fold([.. With(_ => plain with { Locals = [new("n", "int", "1")] })]));
        Assert.Equal(4, FrameFold.Fold([.. With(n => plain with { Locals = [new("n", "int", $"{n}")] })]).Count);
        Assert.Equal(4, FrameFold.Fold([.. With(n => plain with { Folded = n })]).Count);
    }

    [Fact]
    public void Deep_recursion_takes_a_few_lines()
    {
        string text = Rendered.Text(Drawings.Recursion(100_000).Snapshot());
        Assert.Contains("the same frame 99,999 more times", text);
        Assert.Contains("the same 2 frames 99,999 more times", text);
        Assert.True(text.Split('\n').Length < 20);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(997)]
    public void The_time_for_a_deep_stack_is_linear(int distinct)
    {
        // 997 different frames in a cycle: too long a cycle to fold, so every frame is a line.
        (long smallTime, int smallSize) = Cost(10_000, distinct);
        (long bigTime, int bigSize) = Cost(100_000, distinct);
        Assert.True(bigSize <= smallSize * 11, $"{smallSize} -> {bigSize} characters");
        // Quadratic would be 100 times; the slack is for a busy machine.
        Assert.True(bigTime <= smallTime * 40 + TimeSpan.TicksPerSecond, $"{smallTime} -> {bigTime} ticks");
    }

    private static (long Time, int Size) Cost(int depth, int distinct)
    {
        StackView snapshot = new SnapshotDrawing()
            .Stack(1, "Task", [.. Enumerable.Range(0, depth).Select(i => $"Shop.Deep.Step{i % distinct}Async(int) | /src/Deep.cs:{i % distinct + 1}")])
            .Snapshot();
        Rendered.Text(snapshot);
        var watch = Stopwatch.StartNew();
        int size = Rendered.Text(snapshot).Length;
        return (watch.Elapsed.Ticks, size);
    }

    private static string Draw(string frames, FrameRun run)
    {
        string part = frames.Substring(run.Start, run.Period);
        if (run.Repeats == 1)
            return part;
        return (run.Period == 1 ? part : $"({part})") + run.Repeats;
    }
}
