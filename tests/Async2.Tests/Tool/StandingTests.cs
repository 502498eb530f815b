using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>Several looks at a program that moves when it is told to: how many went on between two, and in how many looks the rest has stood.</summary>
[Trait("Category", "Integration")]
public sealed class StandingTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Each_look_says_what_went_on_since_the_one_before(bool isClassic)
    {
        using ScenarioProcess process = ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["hotSteps"]);
        (AsyncModel Model, Finding Hot) first = Look(process, null);
        Assert.EndsWith("which waits for TaskCompletionSource<int>", first.Hot.Text, StringComparison.Ordinal);
        double went = process.Ask("step");
        (AsyncModel Model, Finding Hot) second = Look(process, first.Model);
        // One has it, the others wait.
        Assert.EndsWith($", {went} of 39 moved on", second.Hot.Text, StringComparison.Ordinal);
        Assert.Equal((Severity.Info, Confidence.Possible, Motion.Moved, null), (second.Hot.Severity, second.Hot.Confidence, second.Hot.Motion, second.Hot.Still));
        // It has stood once, and moved once.
        Thread.Sleep(600);
        (AsyncModel Model, Finding Hot) third = Look(process, second.Model);
        Assert.EndsWith($", none of {39 - went} moved on", third.Hot.Text, StringComparison.Ordinal);
        Assert.Equal((Severity.Info, Motion.Moved), (third.Hot.Severity, third.Hot.Motion));
        (AsyncModel Model, Finding Hot) fourth = Look(process, third.Model);
        Assert.Equal((Severity.Warning, Confidence.Likely, Motion.Still), (fourth.Hot.Severity, fourth.Hot.Confidence, fourth.Hot.Motion));
        Assert.Equal(new StillFor(fourth.Model.Target.ApartMs!.Value - second.Model.Target.ApartMs!.Value, 3, 4), fourth.Hot.Still);
        // Of the looks before the last one numbers are kept, and no models.
        Assert.Equal((null, 4), (fourth.Model.Earlier!.Earlier, fourth.Model.Target.Looks));
        // A collection moves them: how many went on is known, and what stood is not proved to.
        process.Ask("step");
        process.Ask("tidy");
        Finding fifth = Look(process, fourth.Model).Hot;
        Assert.EndsWith($", {went} of {39 - went} moved on", fifth.Text, StringComparison.Ordinal);
        Assert.NotEqual(Motion.Still, fifth.Motion);
    }

    private static (AsyncModel Model, Finding Hot) Look(ScenarioProcess process, AsyncModel? earlier)
    {
        using Target target = Target.Open($"{process.Pid}", new());
        var analyzed = AnalyzedTarget.Analyze(target, new AnalysisOptions { Earlier = earlier });
        AssertSaved(analyzed);
        return (analyzed.Model, Assert.Single(analyzed.Snapshot.Findings, finding => finding.Rule == "hot-resource"));
    }

    // A snapshot file says the same of all looks.
    private static void AssertSaved(AnalyzedTarget analyzed)
    {
        using var file = new MemoryStream();
        SnapshotFile.Write(analyzed, file, new());
        file.Position = 0;
        StackView saved = SnapshotFile.Read(file).Ask(new AnalysisOptions());
        Assert.Equal(analyzed.Snapshot.Findings.Select(FactsOf), saved.Findings.Select(FactsOf));
        Assert.Equal(analyzed.Snapshot.Stacks.Select(stack => (stack.Key, stack.Age)), saved.Stacks.Select(stack => (stack.Key, stack.Age)));
        Assert.Equal((analyzed.Snapshot.Target.Looks, analyzed.Snapshot.Target.ApartMs), (saved.Target.Looks, saved.Target.ApartMs));

        static (string, Severity, Confidence, Motion, StillFor?) FactsOf(Finding finding) => (finding.Text, finding.Severity, finding.Confidence, finding.Motion, finding.Still);
    }
}
