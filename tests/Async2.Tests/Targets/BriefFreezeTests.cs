using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets;

/// <summary>A process that is stopped only until it is copied: nothing is lost by it.</summary>
[Trait("Category", "Integration")]
public sealed class BriefFreezeTests(ITestOutputHelper output)
{
    [Fact]
    public void Under_a_load_of_chains_and_garbage_every_stack_is_complete()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["churn", "200"]);
        int complete = 0;
        for (int round = 0; round < 10; round++)
        {
            StackView snapshot = Read(process.Pid.ToString(), locals: true);
            output.WriteLine($"{snapshot.Target.FreezeMs} ms; " + string.Join("; ", snapshot.Problems.Select(p => p.Text)));
            // A thread that was stopped while it makes an object, between taking its memory and writing its type, leaves a gap. Where a
            // running thread's stack cannot be read, no wait is called an orphan, which is said.
            Assert.All(snapshot.Problems, problem => Assert.Contains(problem.Code, (string[])[ProblemCodes.HeapIncomplete, ProblemCodes.ReachUnknown]));
            Assert.All(snapshot.Stacks, stack => Assert.True(RunningCopyTests.ChainsIn(stack).Distinct().Count() <= 1));
            string[] chains = [.. snapshot.Stacks.SelectMany(stack => RunningCopyTests.ChainsIn(stack).Distinct())];
            Assert.Equal(chains.Length, chains.Distinct().Count());
            // What a thread executes has no saved locals.
            Assert.InRange(chains.Length, snapshot.Complete ? 196 : 1, 200);
            complete += snapshot.Complete ? 1 : 0;
        }
        Assert.InRange(complete, 3, 10);
    }

    [Fact]
    public void A_copy_is_readable_after_the_process_has_ended()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"]);
        string[] before = Lines(Read(process.Pid.ToString()));
        using var target = Target.OpenProcess(process.Pid, new TargetOptions());
        ProcessFacts.Signal(process.Pid, "KILL");
        ProcessFacts.WaitUntil(() => ProcessFacts.HasEnded(process.Pid), "it is gone");
        StackView after = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }, cancellation: TestContext.Current.CancellationToken);
        Assert.True(after.Complete, string.Join("; ", after.Problems.Select(p => p.Code + " " + p.Text)));
        Assert.Equal(before, Lines(after));
    }

    [Fact]
    public void A_process_too_big_for_a_copy_stays_stopped_and_that_is_reported()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"]);
        using (var hold = ProcessAccess.Take(process.Pid, FreezeMode.Brief, budget: 1 << 20, told: new Dictionary<uint, byte[]>()))
        {
            Assert.Equal(ProblemCodes.StoppedThroughout, Assert.Single(hold.Problems).Code);
            Assert.Null(hold.Copy);
            Assert.All(ProcessFacts.ThreadStates(process.Pid), state => Assert.Equal('t', state));
        }
        ProcessFacts.WaitUntil(() => !ProcessFacts.ThreadStates(process.Pid).Contains('t'), "the process runs on");
        using var running = ProcessAccess.Take(process.Pid, FreezeMode.None, budget: 1 << 20, told: new Dictionary<uint, byte[]>());
        Assert.Null(running.Copy);
    }

    internal static StackView Read(string target, bool locals = false)
    {
        using var open = Target.Open(target, new TargetOptions());
        StackView snapshot = Analyzer.Analyze(open, new AnalysisOptions { Coalesce = !locals, Locals = locals }, cancellation: TestContext.Current.CancellationToken);
        Assert.True(snapshot.Complete || locals, string.Join("; ", snapshot.Problems.Select(p => p.Text)));
        return snapshot;
    }

    internal static string[] Lines(StackView snapshot) => [.. snapshot.Stacks
        .Select(stack => $"{stack.Count} {stack.State} {string.Join(" < ", stack.Frames.Select(frame => $"{frame.Name}:{frame.Line}"))}")
        .Order(StringComparer.Ordinal)];
}
