using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>The design document's own workload: 10,000 chains of 100 frames, more than a million continuations.</summary>
[Trait("Category", "Integration")]
public sealed class ManyChainsTests
{
    [Fact]
    public void Ten_thousand_chains_of_a_hundred_frames_are_one_group()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, ["--chains", "10000", "--depth", "100"]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);

        // A heap of that size is not searched for waits without an end, which is said.
        Assert.All(snapshot.Problems, problem => Assert.Equal(Analysis.Model.ProblemCodes.ReachUnknown, problem.Code));
        Assert.True(snapshot.Complete);
        Assert.Equal(new SnapshotTotals(10_000, 1_000_000, 1), snapshot.Totals);
        var stack = Assert.Single(snapshot.Stacks);
        Assert.Equal(10_000, stack.Count);
        Assert.Equal(100, stack.Frames.Count);
        Assert.All(stack.Frames, frame =>
        {
            Assert.Equal("Link", frame.Name);
            Assert.Equal(Exactness.Exact, frame.Exactness);
        });
    }

    [Fact]
    public void One_chain_of_three_thousand_frames_is_shown_whole()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, ["--chains", "1", "--depth", "3000"]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);

        Assert.Equal(3000, Assert.Single(snapshot.Stacks).Frames.Count);
    }
}
