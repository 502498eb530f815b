using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>.NET programs without runtime-async: nothing to show is said, and why, and never looks like an error of the tool.</summary>
[Trait("Category", "Integration")]
public sealed class NoRuntimeAsyncTests
{
    [Fact]
    public void Classic_state_machines_are_stacks_like_others()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Classic, ScenarioDump.Scenarios);
        JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json"), 0);
        Assert.Empty(Outcome.ProblemCodes(answer));
        Assert.Equal(["state-machine"], answer.GetProperty("target").GetProperty("families").EnumerateArray().Select(f => f.GetString()));
        Assert.Equal(4, answer.GetProperty("totals").GetProperty("stacks").GetInt32());
    }

    [Fact]
    public void An_idle_program_without_stacks_is_not_an_error()
    {
        using var program = new IdleProgram();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        ToolRun run = ToolRun.Of(process.Pid.ToString());
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("no async stacks: no async method is suspended or running\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("A2D3002  no async method is suspended", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 problem, all stacks found\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_starting_program_gives_an_answer_or_an_error()
    {
        using var program = new IdleProgram();
        var random = new Random(3);
        foreach (int _ in Enumerable.Range(0, 6))
        {
            using System.Diagnostics.Process starting = program.StartWithoutWaiting();
            Thread.Sleep(random.Next(0, 120));
            ToolRun run = ToolRun.Of(starting.Id.ToString());
            starting.Kill();
            Outcome.IsSane(run);
        }
    }
}
