using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Integration;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Wine;

/// <summary>
/// The Windows build of the tool, with .NET's runtime for Windows, under Wine: each program is started once, and all that is asked about it is asked then. The tests themselves run here, so that nothing that Wine does can keep
/// them from ending. Windows runs more (<c>Async2.Tests.Windows</c>).
/// </summary>
[Trait("Category", "Wine")]
public sealed partial class WineTests(ITestOutputHelper output)
{
    private static readonly AnalysisOptions Everything = new() { Coalesce = false, Locals = true };

    /// <summary>Ways of compiling, and the share of recorded variables that is found at the least: optimised code of Windows has copies of structs, and small numbers only as larger ones.</summary>
    private static readonly (ScenarioMode Mode, double Share)[] Some =
    [
        (Of("cold"), 0.99), (Of("full opt"), 0.85), (Of("classic"), 0.95),
        (Low("cold") with { Name = "some cold below 2 GB", Arguments = ["--only", "NestedCalls,TwelveAwaits,TryLocals,ForeachDispose,PrimitiveLocals"], AtLeast = 20 }, 0.99),
    ];

    // With ASYNC2_LONG=1.
    private static readonly (ScenarioMode Mode, double Share)[] More =
    [
        (Of("debug"), 0.99), (Of("warm"), 0.85), (Of("classic debug"), 0.95), (Of("classic") with { Name = "classic full opt", Variables = Of("full opt").Variables }, 0.85),
        (Low("cold"), 0.99), (Low("classic"), 0.95),
    ];

    public static TheoryData<string> Modes => [.. Some.Concat(More.Take(LongRuns.Of(0, More.Length))).Select(known => known.Mode.Name)];

    /// <summary>Frames and variables are those that the program has recorded: read live, and from a dump that the tool has written, each brought here as a snapshot.</summary>
    /// <param name="modeName">How the scenarios are compiled.</param>
    [Theory]
    [MemberData(nameof(Modes))]
    public void Frames_and_variables_are_those_that_were_recorded(string modeName)
    {
        (ScenarioMode mode, double share) = Some.Concat(More).Single(known => known.Mode.Name == modeName);
        using var folder = new TemporaryFolder();
        using WineProgram program = WineProgram.Start(mode.Build.Assembly, mode.Arguments, mode.Variables);
        string dump = folder.PathOf("scenarios.dmp");
        StackView live = Read(folder.PathOf("live.async2snap"), program.Pid);
        ToolRun written = WineMachine.Run("dump", "collect", program.Pid, "--force", "-o", WineMachine.NameOf(dump));
        Assert.True(written.ExitCode == 0, written.Error);
        StackView dumped = Read(folder.PathOf("dump.async2snap"), WineMachine.NameOf(dump));
        Check(mode, share, live, program.Truth);
        Assert.Equal(Described(live), Described(dumped));
        if (modeName == "cold")
            IsRefusedHereAndCut(dump);
    }

    [Fact]
    public void Processes_are_listed_and_the_doctor_tries_one()
    {
        using WineProgram program = WineProgram.Start(ScenarioBuild.Classic.Assembly, ScenarioDump.Scenarios);
        ToolRun list = WineMachine.Run("ps", program.Pid, "--format", "json");
        Assert.Equal(0, list.ExitCode);
        Assert.Contains("\"Scenarios.Classic\"", list.Output, StringComparison.Ordinal);
        ToolRun doctor = WineMachine.Run("doctor", program.Pid);
        foreach (string line in (string[])["ok    rights ", "ok    stopping ", "ok    dac ", "ok    target "])
            Assert.Contains("\n" + line, "\n" + doctor.Output, StringComparison.Ordinal);
        ToolRun none = WineMachine.Run("2147483644");
        Assert.Equal(3, none.ExitCode);
        Assert.Contains("There is no running process 2147483644: no process has this id", none.Error, StringComparison.Ordinal);
    }

    private static ScenarioMode Of(string name) => ScenarioMode.All.Single(mode => mode.Name == name);

    // Wine's machine has a runtime that is loaded below 2 GB: constants and calls are other instructions there.
    private static ScenarioMode Low(string name) => Of(name) with { Name = name + " below 2 GB", Variables = [.. Of(name).Variables, ("DOTNET_ROOT", @"C:\low\dotnet")] };

    private static StackView Read(string snapshot, string target)
    {
        ToolRun run = WineMachine.Run("snapshot", target, "--locals", "-o", WineMachine.NameOf(snapshot));
        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        using FileStream file = File.OpenRead(snapshot);
        StackView view = SnapshotFile.Read(file).Ask(Everything);
        // In optimised code of Windows the JIT leaves out frames that its code does not show: it is said.
        Assert.Equal([], view.Problems.Where(problem => problem.Code != ProblemCodes.ElidedFrames).Select(problem => $"{problem.Code} {problem.Text}"));
        return view;
    }

    private void Check(ScenarioMode mode, double share, StackView view, Truth truth)
    {
        TruthComparison frames = TruthComparison.Of(view, truth);
        LocalsComparison locals = LocalsComparison.Of(view.Stacks, truth);
        output.WriteLine($"| {mode.Name} | {frames.Physical} | {frames.PhysicalRight} | {frames.WrongButExact} | {locals.Recorded} | {locals.Right} | {locals.Wrong.Count} |");
        foreach (string line in frames.Wrong.Concat(frames.Missing).Concat(locals.Wrong).Concat(locals.Missing))
            output.WriteLine(line);
        Assert.Equal(0, frames.WrongButExact);
        Assert.True(frames.PhysicalRight >= frames.Physical * 0.99, $"{frames.PhysicalRight} of {frames.Physical} frames are right");
        Assert.True(frames.Physical >= mode.AtLeast, $"only {frames.Physical} frames in memory");
        Assert.Empty(locals.Wrong);
        Assert.True(locals.Share >= share, $"{locals.Right} of {locals.Recorded} variables were found");
    }

    /// <summary>On Linux it says why it is not read; there, one that was cut says how much exists.</summary>
    private static void IsRefusedHereAndCut(string dump)
    {
        TargetException here = Assert.Throws<TargetException>(() => Target.Open(dump, new TargetOptions()));
        Assert.Equal("The target is of another system (windows): it can only be read there.", here.Message);
        using (FileStream file = File.OpenWrite(dump))
            file.SetLength(file.Length / 2);
        ToolRun run = WineMachine.Run(WineMachine.NameOf(dump));
        Assert.True(run.ExitCode is 3 or 4, $"exit code {run.ExitCode}");
        Assert.Contains("the dump is truncated: it has ", run.Error + run.Output, StringComparison.Ordinal);
    }

    private static IEnumerable<string> Described(StackView view)
        => view.Stacks.Select(s => $"{s.Count} {s.State} {DueTime().Replace(s.WaitingOn?.ToString() ?? "", "")} {string.Join(" < ", s.Frames.Select(frame => frame with { Age = null, Locals = [] }))}"
            + string.Join(' ', s.Frames.SelectMany(frame => frame.Locals)));

    [GeneratedRegex(" due in [^,}]*")]
    private static partial Regex DueTime();
}
