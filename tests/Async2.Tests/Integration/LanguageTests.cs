using Async2.Analysis;
using Async2.Analysis.Code;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>Async methods of Visual Basic and tasks of F# are shown as those of C# are. Lines are the programs' own marks.</summary>
[Trait("Category", "Integration")]
public sealed class LanguageTests
{
    [Fact]
    public void Async_methods_of_Visual_Basic_have_names_lines_and_waits()
    {
        Situation found = Situation.Look("Languages.VisualBasic", "");
        Assert.Equal(
            [
                "LendAsync@lend, Task.Delay",
                "PackAsync@pack < lambda@lambda, SemaphoreSlim.WaitAsync",
                "ServeAsync@serve < NextAsync@next, Channel<int> read",
                "lambda@? < BlockAsync@block, SemaphoreSlim.WaitAsync",
            ],
            Described(found));
        Assert.Equal(["count = 5", "i = 2"], Locals(found, "NextAsync"));
        Assert.Equal(["item = \"bread\"", "count = 5"], Locals(found, "ServeAsync"));
        Assert.Equal(["pieces = 3"], Locals(found, "PackAsync"));
        Assert.All(Suspended(found), frame => Assert.Equal(Exactness.Exact, frame.Exactness));
    }

    [Fact]
    public void Tasks_of_FSharp_have_names_lines_and_waits()
    {
        Situation found = Situation.Look("Languages.FSharp", "task");
        Assert.Equal(
            [
                "OpenAsync@open, SemaphoreSlim.WaitAsync",
                "PackAsync@pack < pay@pay, SemaphoreSlim.WaitAsync",
                "lendAsync@lend, Task.Delay",
                "serveAsync@serve < nextAsync@next, Channel<int> read",
                "start.lambda@? < blockAsync@block, SemaphoreSlim.WaitAsync",
            ],
            Described(found));
        Assert.Equal(["count = 5"], Locals(found, "nextAsync"));
        Assert.Equal(["item = \"bread\"", "count = 5"], Locals(found, "serveAsync"));
        Assert.Equal(["item = \"pan\""], Locals(found, "lendAsync"));
        Assert.All(Suspended(found), frame => Assert.Equal(Exactness.Exact, frame.Exactness));
    }

    [Theory]
    [InlineData("async")]
    [InlineData("agent")]
    [InlineData("run")]
    public void Asyncs_of_FSharp_are_counted(string name)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.FSharp, [name]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AsyncSnapshot snapshot = Analyzer.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        Assert.Contains(snapshot.Problems, p => p.Code == ProblemCodes.AsyncsNotShown);
        Assert.DoesNotContain(snapshot.Problems, p => p.Code == ProblemCodes.NoRuntimeAsync);
        Assert.False(snapshot.Complete);
    }

    private static IEnumerable<string> Described(Situation found)
        => found.Stacks.Select(s => $"{found.OutermostFirst(s)}, {s.WaitingOn?.Text}").Order(StringComparer.Ordinal);

    private static IEnumerable<LogicalFrame> Suspended(Situation found) => found.Stacks.SelectMany(s => s.Frames).Where(f => f.Kind != FrameKind.Thread);

    // An object without a name, self in source, is not compared.
    private static IEnumerable<string> Locals(Situation found, string method)
        => found.Stacks.SelectMany(s => s.Frames).Single(f => f.Name == method).Locals
            .Where(l => l.Name != "this" && !l.Value.StartsWith("{0x", StringComparison.Ordinal)).Select(l => $"{l.Name} = {l.Value}");
}
