using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Library;

/// <summary>The programs in <c>samples</c> do what their first lines say.</summary>
[Trait("Category", "Integration")]
public sealed class SampleTests
{
    private const int PageLines = 60;

    [Fact]
    public void One_prints_what_a_process_waits_for()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", "TaskDelay"]);
        ToolRun run = Run("WhatItWaitsFor", process.Pid.ToString());
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Matches(@"(?m)^\d+ x awaiting, waits for Task\.Delay", run.Output);
        Assert.Matches(@"(?m)^    .*TaskDelay.* TaskDelay\.cs:\d+$", run.Output);
    }

    [Fact]
    public void One_fails_a_build_that_is_deadlocked()
    {
        using ScenarioProcess stuck = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        using ScenarioProcess healthy = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", "TaskDelay"]);
        ToolRun run = Run("FailOnDeadlock", healthy.Pid.ToString(), stuck.Pid.ToString());
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"{stuck.Pid}: deadlock of ", run.Error, StringComparison.Ordinal);
        Assert.Contains("ShipAsync", run.Error, StringComparison.Ordinal);
        Assert.Equal(0, Run("FailOnDeadlock", healthy.Pid.ToString()).ExitCode);
    }

    [Fact]
    public void It_does_the_same_with_an_answer_that_was_saved()
    {
        using ScenarioProcess stuck = ScenarioProcess.Start(ScenarioBuild.Situations, ["crossed"]);
        using var folder = new TemporaryFolder();
        string answer = folder.PathOf("answer.json"), other = folder.PathOf("other.json");
        Assert.Equal(0, ToolRun.Of($"{stuck.Pid}", "--format", "json", "-o", answer).ExitCode);
        ToolRun saved = Run("FailOnDeadlock", answer), live = Run("FailOnDeadlock", $"{stuck.Pid}");
        Assert.Equal((1, live.Error), (saved.ExitCode, saved.Error.Replace(answer, $"{stuck.Pid}", StringComparison.Ordinal)));
        Assert.Matches(@"(?m)^    0x[0-9a-f]+ HeldBy t\d+ \(OwnerRecord\)$", saved.Error);
        File.WriteAllText(other, "{}");
        ToolRun refused = Run("FailOnDeadlock", other);
        Assert.Equal((3, $"{other}: this is not JSON of async2.stacks/1, from byte 2 of line 1 on"), (refused.ExitCode, refused.Error.TrimEnd()));
    }

    [Theory]
    [InlineData("WhatItWaitsFor")]
    [InlineData("FailOnDeadlock")]
    public void They_report_what_is_wrong(string sample)
    {
        Assert.Equal(2, Run(sample).ExitCode);
        ToolRun unreadable = Run(sample, "/nowhere/to/be.dmp");
        Assert.Equal(3, unreadable.ExitCode);
        Assert.Contains("/nowhere/to/be.dmp", unreadable.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", unreadable.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("dotnet-async2", unreadable.Error, StringComparison.Ordinal);
        Assert.Contains("write a new one: DumpWriter.Write", unreadable.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_is_a_page()
        => Assert.All(Repository.CSharpFiles("samples").Where(UsesLibrary), path => Assert.InRange(File.ReadLines(path).Count(), 10, PageLines));

    // The web shop is not a use of the library, but something to look at.
    private static bool UsesLibrary(string path)
        => Directory.EnumerateFiles(Path.GetDirectoryName(path)!, "*.csproj").Any(project => File.ReadAllText(project).Contains("Async2.Analysis.csproj", StringComparison.Ordinal));

    private static ToolRun Run(string sample, params string[] arguments)
    {
        string configuration = AppContext.BaseDirectory.Contains("/Release/", StringComparison.Ordinal) ? "Release" : "Debug";
        return ToolRun.OfDotnet([Repository.PathOf("samples", sample, "bin", configuration, "net10.0", sample + ".dll"), .. arguments]);
    }
}
