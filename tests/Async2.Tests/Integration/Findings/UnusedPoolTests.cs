using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Findings;

/// <summary>A thread pool that was configured, and to which nothing was ever queued: it has no queue yet, and nothing of it is missing.</summary>
[Trait("Category", "Integration")]
public sealed class UnusedPoolTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nothing_is_missing(bool isClassic)
    {
        using ScenarioProcess process = ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["unusedPool"]);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        Assert.DoesNotContain(model.Problems, problem => problem.Code == ProblemCodes.PoolUnreadable);
        Assert.Equal(0, model.Target.Pool?.Existing);
    }
}
