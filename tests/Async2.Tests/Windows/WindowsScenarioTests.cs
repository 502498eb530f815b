using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Integration;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Windows;

/// <summary>
/// The promise of the tool on Windows: frames and variables of all scenarios, in each way of compiling, live, from a dump and from a snapshot. One process for all of it: to start one takes long
/// under Wine. The tables are in docs/windows.md.
/// </summary>
[Trait("Category", "Windows")]
public sealed partial class WindowsScenarioTests(ITestOutputHelper output)
{
    /// <summary>Where Wine's machine has a runtime that is loaded below 2 GB (scripts/wine.mjs).</summary>
    private const string LowRuntime = @"C:\low\dotnet";

    private static readonly AnalysisOptions Everything = new() { Coalesce = false, Locals = true };

    /// <summary>The share of recorded variables that is found at the least: optimised code of Windows has copies of structs, and small numbers only as larger ones.</summary>
    private static readonly Dictionary<string, double> Shares = new() { ["full opt"] = 0.85, ["warm"] = 0.85, ["classic"] = 0.95 };

    [Theory]
    [InlineData("cold")]
    [InlineData("full opt")]
    [InlineData("debug")]
    [InlineData("classic")]
    [Trait("System", "Windows")]
    public void Frames_and_variables_are_those_that_were_recorded(string modeName) => Compare(ScenarioMode.All.Single(mode => mode.Name == modeName));

    [Theory]
    [InlineData("warm")]
    [InlineData("classic debug")]
    [Trait("System", "WindowsLong")]
    public void And_in_further_ways_of_compiling(string modeName) => Compare(ScenarioMode.All.Single(mode => mode.Name == modeName));

    /// <summary>Constants have other instructions there.</summary>
    [Fact]
    [Trait("System", "Windows")]
    public void Code_below_two_gigabytes_is_read_as_well()
    {
        Assert.SkipUnless(Directory.Exists(LowRuntime), "there is only one runtime, which Windows loads where it likes");
        Compare(new("low", ScenarioBuild.Release, ["--only", "NestedCalls,TwelveAwaits,TryLocals,ForeachDispose,PrimitiveLocals"], [("DOTNET_ROOT", LowRuntime)], AtLeast: 20));
    }

    private void Compare(ScenarioMode mode)
    {
        using ScenarioProcess process = mode.Start();
        using var folder = new TemporaryFolder();
        StackView live = Whole(process.Pid.ToString());
        string dump = folder.PathOf("scenarios.dmp");
        ProgramDump.Write(process.Pid, dump);
        (StackView dumped, StackView snapshot) = ReadAndSave(dump);
        Assert.Equal(Described(live), Described(dumped));
        Assert.Equal(Described(dumped), Described(snapshot));
        Check(mode, TruthComparison.Of(live, process.Truth), LocalsComparison.Of(live.Stacks, process.Truth));
    }

    private void Check(ScenarioMode mode, TruthComparison frames, LocalsComparison locals)
    {
        output.WriteLine($"| {mode.Name} | {frames.Physical} | {frames.PhysicalRight} | {frames.WrongButExact} | {frames.ElidedRight} | {frames.Found} of {frames.Recorded} | {locals.Recorded} | {locals.Right} | {locals.Wrong.Count} |");
        foreach (string line in frames.Wrong.Concat(frames.Missing).Concat(locals.Wrong).Concat(locals.Missing))
            output.WriteLine(line);
        Assert.Equal(0, frames.WrongButExact);
        Assert.True(frames.PhysicalRight >= frames.Physical * 0.99, $"{frames.PhysicalRight} of {frames.Physical} frames are right");
        Assert.True(frames.Physical >= mode.AtLeast, $"only {frames.Physical} frames in memory");
        Assert.Empty(locals.Wrong);
        Assert.True(locals.Share >= Shares.GetValueOrDefault(mode.Name, mode.Name == "low" ? 0.5 : 0.99), $"{locals.Right} of {locals.Recorded} variables were found");
    }

    private static StackView Whole(string target) => WithoutProblems(WholeAnswer.Of(target, Everything));

    private static (StackView Dump, StackView Snapshot) ReadAndSave(string dump)
    {
        using Target target = Target.Open(dump, new TargetOptions());
        AnalyzedTarget analyzed = AnalyzedTarget.Analyze(target, Everything);
        using var file = new MemoryStream();
        SnapshotFile.Write(analyzed, file, new SnapshotOptions { Locals = true });
        file.Position = 0;
        return (WithoutProblems(analyzed.Ask(Everything)), SnapshotFile.Read(file).Ask(Everything));
    }

    private static StackView WithoutProblems(StackView view)
    {
        Assert.Equal([], view.Problems.Select(problem => $"{problem.Code} {problem.Text}"));
        return view;
    }

    private static IEnumerable<string> Described(StackView snapshot)
        => snapshot.Stacks.Select(s => $"{s.Count} {s.State} {DueTime().Replace(s.WaitingOn?.ToString() ?? "", "")} {string.Join(" < ", s.Frames.Select(frame => frame with { Age = null, Locals = [] }))}"
            + string.Join(' ', s.Frames.SelectMany(frame => frame.Locals)));

    [GeneratedRegex(" due in [^,}]*")]
    private static partial Regex DueTime();
}
