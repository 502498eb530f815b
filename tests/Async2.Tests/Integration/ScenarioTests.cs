using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>
/// The promise of the tool, on real processes: every frame that is in memory is shown at the await where the program says that
/// it is, in each way of compiling, live and from a dump.
/// </summary>
[Trait("Category", "Integration")]
public sealed partial class ScenarioTests(ITestOutputHelper output)
{
    public static TheoryData<string> Modes => new(ScenarioMode.All.Select(m => m.Name));

    [Theory]
    [MemberData(nameof(Modes))]
    public void Every_physical_frame_is_at_its_recorded_await(string modeName)
    {
        ScenarioMode mode = ScenarioMode.All.Single(m => m.Name == modeName);
        using ScenarioProcess process = mode.Start();
        StackView live = Analyze(process.Pid.ToString());
        (StackView dump, int naive) = AnalyzeDump(process, mode.Build.ForDump);

        string[] now = [.. Described(live)], dumped = [.. Described(dump)];
        Assert.True(now.SequenceEqual(dumped), $"only live:\n{string.Join('\n', now.Except(dumped))}\nonly in the dump:\n{string.Join('\n', dumped.Except(now))}");
        TruthComparison result = TruthComparison.Of(live, process.Truth);
        Report(mode, result, naive);
        Assert.Equal(0, result.WrongButExact);
        Assert.True(result.PhysicalRight >= result.Physical * 0.99, $"{result.PhysicalRight} of {result.Physical} frames are right");
        Assert.True(result.Physical >= mode.AtLeast, $"only {result.Physical} frames in memory");
    }

    [Fact]
    public void Frames_of_the_only_body_of_an_interface_are_found_where_optimised_code_has_none()
    {
        ScenarioMode mode = ScenarioMode.All.Single(m => m.Name == "full opt");
        using ScenarioProcess process = ScenarioProcess.Start(mode.Build, ["--only", "TailInterface"], mode.Variables);
        StackView live = Analyze(process.Pid.ToString());
        TruthComparison result = TruthComparison.Of(live, process.Truth);
        Assert.Equal([], live.Problems.Select(problem => problem.Text));
        Assert.Equal([], result.Wrong.Concat(result.Missing));
        Assert.Equal((2, 0, result.Recorded), (result.ElidedRight, result.ElidedWithoutLine, result.Found));
    }

    private static StackView Analyze(string name)
    {
        using var target = Target.Open(name, new TargetOptions());
        return Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false });
    }

    private static (StackView Snapshot, int Naive) AnalyzeDump(ScenarioProcess process, TargetOptions options)
    {
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("scenarios.dmp");
        ProgramDump.Write(process.Pid, path);
        using var target = Target.Open(path, options);
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false });
        return (snapshot, NaiveDecoding.CountRight(target, snapshot));
    }

    private static IEnumerable<string> Described(StackView snapshot)
        => snapshot.Stacks.Select(s => $"{s.Count} {s.State} {DueTime().Replace(s.WaitingOn?.ToString() ?? "", "")} {string.Join(" < ", s.Frames.Select(frame => frame with { Age = null }))}");

    // Time goes on between the look at the process and its dump, which knows the time less well: ages differ, too.
    [GeneratedRegex(" due in [^,}]*")]
    private static partial Regex DueTime();

    private void Report(ScenarioMode mode, TruthComparison r, int naive)
    {
        output.WriteLine("| mode | frames in memory | at their await | naive: k-th await | wrong but exact | elided, recovered | found of recorded |");
        output.WriteLine(
            $"| {mode.Name} | {r.Physical} | {r.PhysicalRight} ({100.0 * r.PhysicalRight / r.Physical:F1} %) | {(naive == 0 ? "-" : $"{100.0 * naive / r.Physical:F1} %")} "
            + $"| {r.WrongButExact} | {r.ElidedRight} + {r.ElidedWithoutLine} without line | {r.Found} of {r.Recorded} |");
        foreach (string line in r.Wrong.Concat(r.Missing))
            output.WriteLine(line);
    }
}
