using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>
/// What is left where native code cannot be decoded (arm64 today): the name of the resume stub. Shown on x64 by withholding the
/// places in code that lead further.
/// </summary>
[Trait("Category", "Integration")]
public sealed class WithoutDecoderTests
{
    [Fact]
    public void A_name_alone_is_not_a_method()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", "SeveralAwaits,TwelveAwaits"]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var problems = new ProblemLog();
        HeapIndex index = new HeapWalk(target, new StateMachineLayouts(target), LayoutFacts.None, problems).Run((_, _) => { }, CancellationToken.None);
        var points = new SuspensionPoints(target, new LoadedModules(target, problems), new NativeBodies(target, LayoutFacts.None), [], LayoutFacts.None, problems);

        var found = new List<SuspensionPoint>();
        for (int site = SiteTable.Final + 1; site < index.Frames.Sites.Count; site++)
            found.Add(points.At(index.Frames.Sites[site]));
        Assert.All(found, point => Assert.Equal((Exactness.None, null), (point.Exactness, point.Method)));
        SuspensionPoint inventory = found.First(p => p.StubName == "InventoryAsync");
        Assert.Null(inventory.Source);
        Assert.Equal("<unknown type>.InventoryAsync", FrameNames.OfStub(inventory.StubName));
        Assert.Contains(problems.ToImmutable(), p => p.Code == ProblemCodes.MethodUnknown);
        Assert.True(problems.IsPartial);
    }
}
