using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>What is done, or was never an async method, is shown to those who ask.</summary>
[Trait("Category", "Integration")]
public sealed class CompletedTests
{
    [Fact]
    public void Completed_methods_are_counted_separately()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Classic, ["--only", "NestedCalls", "--warm", "5"]);
        string pid = $"{process.Pid}";
        Assert.DoesNotContain("completed", ToolRun.Of(pid).Output);
        Assert.Matches(@"^\d+ stacks in \d+ groups: 3 awaiting, \d+ completed\n", ToolRun.Of(pid, "--completed").Output);
        string table = Assert.Single(ToolRun.Of(pid, "--type", "NestedCalls", "--limit", "1").Output.Split('\n'), line => line.Contains("--type", StringComparison.Ordinal));
        Assert.StartsWith("3 of 3 stacks match --type NestedCalls", table, StringComparison.Ordinal);
        Assert.StartsWith("error: --methodtable needs an address in hex, not 'none'", ToolRun.Of(pid, "--methodtable", "none").Error, StringComparison.Ordinal);
    }
}
