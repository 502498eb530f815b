using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>
/// The same sources built with runtime-async and with classic state machines show the same logical stacks: methods with their
/// type arguments, lines, and what is waited for. Nobody who reads an answer has to know how a method was compiled.
/// </summary>
[Trait("Category", "Integration")]
public sealed partial class ParityTests
{
    [Fact]
    public void Both_builds_show_the_same_stacks()
    {
        string[] runtimeAsync = Stacks(ScenarioBuild.Release);
        string[] classic = Stacks(ScenarioBuild.Classic);
        Assert.True(classic.Length > 200);
        Assert.Equal(classic, runtimeAsync);
    }

    [Fact]
    public void Unoptimised_builds_show_the_same_stacks()
        => Assert.Equal(Stacks(ScenarioBuild.ClassicDebug), Stacks(ScenarioBuild.Debug));

    private static string[] Stacks(ScenarioBuild build)
    {
        using ScenarioProcess process = ScenarioProcess.Start(build, []);
        StackView snapshot = WholeAnswer.Of(process.Pid.ToString(), new AnalysisOptions { Coalesce = false });
        return [.. snapshot.Stacks.Select(Text).Order(StringComparer.Ordinal)];
    }

    private static string Text(LogicalStack stack)
        => $"{stack.State} {AddressPattern().Replace(stack.WaitingOn?.Text ?? "", "0x")}: {string.Join(" < ", stack.Frames.Select(f => $"{f.Method} {Path.GetFileName(f.File)}:{f.Line}#{f.AwaitNumber}"))}";

    [GeneratedRegex("0x[0-9a-f]+")]
    private static partial Regex AddressPattern();
}
