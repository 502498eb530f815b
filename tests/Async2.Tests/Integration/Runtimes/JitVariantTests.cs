using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>
/// Chains of real continuations whose tasks are boxes of a thunk as in the async2 experiment's JIT variant (dumps/JitFixture).
/// </summary>
[Trait("Category", "Integration")]
public sealed class JitVariantTests
{
    [Theory]
    [InlineData("0")]
    [InlineData("1")]
    public void Chains_of_thunks_are_shown_live_and_from_a_dump(string tiered)
    {
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("jit.dmp");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Jit, [], ("DOTNET_TieredCompilation", tiered));
        StackView live = Look(process.Pid.ToString(CultureInfo.InvariantCulture));
        ProgramDump.Write(process.Pid, dump);

        Assert.Empty(LaidOutStacks.Differences(process.Truth, live));
        Approved.Check("Integration/Approved", "jit-variant.txt", LaidOutStacks.Text(live));
        Assert.Equal(LaidOutStacks.Text(live), LaidOutStacks.Text(Look(dump)));
    }

    [Fact]
    public void Their_locals_are_those_of_the_continuations()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Jit, [], ("DOTNET_TieredCompilation", "0"));
        StackView found = Look(process.Pid.ToString(CultureInfo.InvariantCulture), locals: true);
        IEnumerable<LocalValue> all = found.Stacks.SelectMany(s => s.Frames).Where(f => f.Name == "ServeAsync").SelectMany(f => f.Locals);
        Assert.Equal(["\"order 3\"", "\"order 3\"", "\"order 4\""], all.Where(l => l.Name == "name").Select(l => l.Value).Order());
    }

    private static StackView Look(string target, bool locals = false)
    {
        using var opened = Target.Open(target, new TargetOptions());
        return Analyzer.Analyze(opened, new AnalysisOptions { Coalesce = false, Locals = locals });
    }
}
