using System.Text;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>Two looks say what moves and what does not, where one look cannot.</summary>
[Trait("Category", "Integration")]
public sealed class LooksTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static TheoryData<bool> Builds => [false, true];

    public static TheoryData<bool, string> Healthy => new(
        from isClassic in (bool[])[false, true] from name in (string[])["stalledPingPong", "permits", "hotMoving", "hotSignal", "healthy", "poolFed"] select (isClassic, name));

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_jam_that_has_not_moved_is_likely(bool isClassic)
    {
        foreach ((string situation, string rule) in (ReadOnlySpan<(string, string)>)[("stalledPair", "deadlock"), ("stalledFar", "hot-resource")])
        {
            using ScenarioProcess process = Start(isClassic, situation);
            Assert.Equal((rule, Confidence.Possible, Motion.Unknown), Worst(Look(process)));
            StackView second = Look(process, "--looks", "2");
            Assert.Equal((rule, Confidence.Likely, Motion.Still), Worst(second));
            // Who waits is as old as the time between the looks.
            string waits = second.Findings[0].Evidence.Last(step => step is { Stack: not null, Relation: EdgeKind.BlockedOn }).Stack!;
            LogicalStack stack = second.Stacks.Single(stack => stack.Id == waits);
            Assert.Equal(new StackAge(second.Target.ApartMs!.Value, AgeClock.TwoLooks, stack.Count), stack.Age);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_moves_was_none(bool isClassic)
    {
        foreach (string situation in (string[])["stalledTurns", "stalledAnswers"])
        {
            using ScenarioProcess process = Start(isClassic, situation);
            // In most moments, and fewer where others need the processors, it looks like the one that does not move.
            Assert.True(Enumerable.Range(0, 20).Any(_ => Serious(Look(process)).Any()), situation);
            Assert.Empty(Serious(Look(process, "--looks", "2")).Select(finding => finding.Text));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_is_healthy_and_does_not_move_is_not_accused(bool isClassic)
    {
        using ScenarioProcess process = Start(isClassic, "stalledGate");
        Assert.Equal(("lock-never-released", Confidence.Possible, Motion.Still), Worst(Look(process, "--looks", "2")));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_gives_up_and_comes_again_has_not_gone_on(bool isClassic)
    {
        using ScenarioProcess process = Start(isClassic, "ownHanded");
        Assert.Equal(("lock-never-released", Confidence.Likely, Motion.Unknown), Worst(Look(process, "--looks", "2")));
    }

    [Theory]
    [MemberData(nameof(Healthy))]
    public void Who_works_is_not_accused(bool isClassic, string situation)
    {
        using ScenarioProcess process = Start(isClassic, situation);
        Assert.Empty(Serious(Look(process, "--looks", "2")).Where(finding => finding.Confidence > Confidence.Possible).Select(finding => finding.Text));
    }

    [Fact]
    public void Too_short_a_time_proves_nothing()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["stalledPair"]);
        StackView view = Look(process, "--looks", "2", "--interval", "1ms");
        // Reading takes its own time on a busy machine.
        Assert.Equal(view.Target.ApartMs < 500 ? Confidence.Possible : Confidence.Likely, view.Findings[0].Confidence);
    }

    [Fact]
    public void What_is_certain_stays_so_and_says_that_it_has_not_moved()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        ToolRun run = ToolRun.Of($"{process.Pid}", "--looks", "2", "--interval", "600ms");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains(" await each other  (certain; has not moved; s1)", run.Output, StringComparison.Ordinal);
        Assert.Matches(@"process \d+, .*, 2 looks, [0-9.]+ m?s apart, frozen for", run.Output);
        Assert.Matches(@"deadlocked .* s1  still for [0-9.]+ m?s", run.Output);
        StackView view = Look(process, "--looks", "2", "--interval", "600ms");
        Assert.Equal(2, view.Target.Looks);
        Assert.InRange(view.Target.ApartMs ?? 0, 600, 60_000);
        Assert.Null(Look(process).Target.Looks);
    }

    [Fact]
    public void What_has_not_moved_in_three_looks_says_so()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["stalledFar"]);
        ToolRun run = ToolRun.Of($"{process.Pid}", "--looks", "3", "--interval", "600ms");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"hot-resource  .*; in [0-9.]+ m?s, none of 11 moved on  \(likely; stuck for at least [0-9.]+ s in all 3 looks", run.Output);
        Assert.Matches(@", 3 looks in [0-9.]+ s, ", run.Output);
        Assert.Matches(@"awaiting  SemaphoreSlim  s\d  still for [0-9.]+ s", run.Output);
        // A snapshot of as many looks says so, too; of a file there is one.
        string file = _folder.PathOf("looks.async2snap");
        ToolRun taken = ToolRun.Of("snapshot", $"{process.Pid}", "--looks", "3", "--interval", "600ms", "-o", file);
        Assert.Equal((0, ""), (taken.ExitCode, taken.Error));
        ToolRun saved = ToolRun.Of(file);
        Assert.Matches(@"hot-resource  .*; in [0-9.]+ m?s, none of 11 moved on  \(likely; stuck for at least [0-9.]+ s in all 3 looks", saved.Output);
        Assert.Matches(@"awaiting  SemaphoreSlim  s\d  still for [0-9.]+ s", saved.Output);
        ToolRun refused = ToolRun.Of("snapshot", "dump.dmp", "--interval", "1s");
        Assert.Equal((2, true), (refused.ExitCode, refused.Error.Contains("add --looks 2", StringComparison.Ordinal)));
        ToolRun gate = ToolRun.Of("check", $"{process.Pid}", "--stuck-over", "1s", "--looks", "3", "--format", "json");
        Assert.Equal(1, gate.ExitCode);
        StackView view = JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(gate.Output)));
        Assert.Equal(3, view.Target.Looks);
        Assert.Equal(new StillFor(view.Target.ApartMs!.Value, 3, 3), view.Findings[0].Still);
        Assert.InRange(view.Target.ApartMs.Value, 1000, 60_000);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_moves_between_two_of_three_looks_is_not_accused(bool isClassic)
    {
        using ScenarioProcess process = Start(isClassic, "stalledTurns");
        Assert.Empty(Serious(Look(process, "--looks", "3", "--interval", "600ms")).Select(finding => finding.Text));
    }

    [Theory]
    [InlineData("--looks needs a process: a file does not move", "--looks", "2")]
    [InlineData("--interval is the time between two looks, and there is one", "--interval", "1s")]
    [InlineData("--interval: 'soon' is not a time", "--looks", "2", "--interval", "soon")]
    [InlineData("--looks is a whole number above 0, not '0'", "--looks", "0")]
    public void Wrong_usage_has_a_fix(string message, params string[] arguments)
    {
        string file = _folder.PathOf("x.dmp");
        File.WriteAllText(file, "nothing");
        foreach (string[] command in (string[][])[[file], ["analyze", file], ["dump", "analyze", file]])
        {
            ToolRun run = ToolRun.Of([.. command, .. arguments]);
            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.Contains(message, run.Error, StringComparison.Ordinal);
        }
    }

    public void Dispose() => _folder.Dispose();

    private static ScenarioProcess Start(bool isClassic, string situation) => ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, [situation]);

    private static StackView Look(ScenarioProcess process, params string[] arguments)
    {
        ToolRun run = ToolRun.Of([$"{process.Pid}", "--format", "json", .. arguments]);
        return JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(run.Output)));
    }

    private static (string Rule, Confidence Confidence, Motion Motion) Worst(StackView view) => (view.Findings[0].Rule, view.Findings[0].Confidence, view.Findings[0].Motion);

    private static IEnumerable<Finding> Serious(StackView view) => view.Findings.Where(finding => finding.Severity > Severity.Info);
}
