using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets;

/// <summary>
/// A process that is read when it is hardest: while collections, new threads and chains that advance go on all at once. With
/// <c>ASYNC2_LONG</c> as often as docs/performance.md says.
/// </summary>
[Trait("Category", "Integration")]
public sealed class HardMomentsTests(ITestOutputHelper output)
{
    [Fact]
    public void In_a_storm_no_crash_is_shown_and_answers_are_whole()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["storm", "200"]);
        int captures = LongRuns.Of(12, 300), whole = 0, again = 0;
        for (int i = 0; i < captures; i++)
        {
            ToolRun run = ToolRun.Of(process.Pid.ToString(), "--format", "json");
            Assert.True(run.ExitCode is 0 or 4, run.Error);
            using var answer = JsonDocument.Parse(run.Output);
            string[] codes = [.. Outcome.ProblemCodes(answer.RootElement)];
            whole += run.ExitCode == 0 ? 1 : 0;
            again += codes.Contains("A2D3016") ? 1 : 0;
            if (run.ExitCode != 0)
                output.WriteLine(answer.RootElement.GetProperty("problems").GetRawText());
        }
        output.WriteLine($"{captures} captures, {whole} whole, {again} read more than once");
        Assert.InRange(captures - whole, 0, Math.Max(1, captures / 100));
    }
}
