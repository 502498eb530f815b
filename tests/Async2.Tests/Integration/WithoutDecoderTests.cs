using Async2.Analysis.Code;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Heap;
using Async2.Analysis.Targets;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>
/// What is left where native code cannot be decoded (arm64 today): the name of the resume stub. Shown on x64 by withholding the
/// places in code that lead further.
/// </summary>
[Trait("Category", "Integration")]
public sealed class WithoutDecoderTests
{
    [Fact]
    public void Methods_are_known_by_their_stubs_and_awaits_are_called_approximate()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", "SeveralAwaits,TwelveAwaits"]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var problems = new ProblemLog();
        HeapIndex index = new HeapWalk(target, new MachineLayouts(target), LayoutFacts.None, problems).Run((_, _) => { }, CancellationToken.None);
        var points = new SuspensionPoints(target, new LoadedModules(target, problems), new NativeBodies(target, LayoutFacts.None), [], LayoutFacts.None, problems);

        var found = new List<SuspensionPoint>();
        for (int site = SiteTable.Final + 1; site < index.Frames.Sites.Count; site++)
            found.Add(points.At(index.Frames.Sites[site]));
        Assert.All(found, point => Assert.NotEqual(Exactness.Exact, point.Exactness));
        SuspensionPoint inventory = found.First(p => p.StubName == "InventoryAsync");
        Assert.Equal("Scenarios.dll", inventory.Definition?.Module.FileName);
        Assert.Equal(Exactness.Approximate, inventory.Exactness);
        Assert.EndsWith("TwelveAwaits.cs", inventory.Source?.Document);
        Assert.Contains(problems.ToImmutable(), p => p.Code == ProblemCodes.MethodUnknown);
    }
}
