using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets.Stopping;

/// <summary>Whatever becomes of those who read, a process that was stopped goes on when its time is up.</summary>
[Trait("Category", "Integration")]
public sealed class FreezeLimitTests
{
    // It is opened by then, however busy the machine is.
    private static readonly TimeSpan Opening = TimeSpan.FromSeconds(15);

    [Fact]
    public void A_process_stopped_for_the_analysis_is_released_in_time_and_the_answer_is_partial()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"]);
        using var target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.Full, StopLimit = Opening });
        Assert.Contains('t', ProcessFacts.ThreadStates(process.Pid));
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions(), new Stuck(process.Pid), TestContext.Current.CancellationToken);
        Assert.False(snapshot.Complete);
        Assert.Contains(snapshot.Problems, problem => problem.Code == ProblemCodes.StopTimeLimit);
        Assert.DoesNotContain(snapshot.Problems, problem => problem.Code == ProblemCodes.Interrupted);
    }

    [Fact]
    public void A_process_that_cannot_be_copied_in_time_is_released_and_read_while_it_runs()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"]);
        using var hold = ProcessAccess.Take(process.Pid, FreezeMode.Brief, MemoryBudget.Bytes, new Dictionary<uint, byte[]>(), limit: TimeSpan.FromTicks(1));
        Assert.Equal(ProblemCodes.StopTimeLimit, Assert.Single(hold.Problems).Code);
        Assert.NotNull(hold.Copy?.Changed);
        Assert.DoesNotContain('t', ProcessFacts.ThreadStates(process.Pid));
    }

    [Fact]
    public void A_process_released_before_anything_was_read_gives_an_error()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"]);
        using var target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.Full, StopLimit = TimeSpan.FromSeconds(2) });
        new Stuck(process.Pid).Report(default);
        Assert.Contains("was released", Assert.Throws<TargetException>(() => Analyzer.Analyze(target, new AnalysisOptions(), null, TestContext.Current.CancellationToken)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Within_the_limit_nothing_is_reported()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"]);
        using var target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.Full });
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        Assert.True(snapshot.Complete);
        Assert.Empty(snapshot.Problems);
    }

    // The reader hangs, forever as far as the process can tell.
    private sealed class Stuck(int pid) : IProgress<AnalysisProgress>
    {
        public void Report(AnalysisProgress value) => ProcessFacts.WaitUntil(() => !ProcessFacts.ThreadStates(pid).Contains('t'), "the process runs on");
    }
}
