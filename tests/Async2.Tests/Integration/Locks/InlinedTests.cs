using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Locks;

/// <summary>Methods that the optimiser has compiled into those that await them hold locks and complete promises as all others do: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class InlinedTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("inlined");

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_has_no_object_is_asked_too(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);

    /// <summary>Otherwise the others show nothing.</summary>
    [Theory]
    [InlineData("inlinedPair", "SwapAsync")]
    [InlineData("inlinedPromise", "SendAsync")]
    [InlineData("inlinedSlow", "RestAsync")]
    [InlineData("inlinedSlow", "LateAsync")]
    public void The_methods_are_inlined(string situation, string method)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, [situation], ScenarioProcess.Untiered);
        StackView view = WholeAnswer.Of(process.Pid.ToString(CultureInfo.InvariantCulture), new AnalysisOptions(), new TargetOptions());
        Assert.Contains(view.Stacks.SelectMany(stack => stack.Frames), frame => frame.Name == method && frame.Kind == FrameKind.Elided);
    }
}
