using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Tests.Support;

namespace Async2.Tests.Targets;

/// <summary>
/// Processes that are read when it is hardest: in their first second, and while collections, new threads and chains that advance go on
/// all at once. With <c>ASYNC2_LONG=1</c> as often as the figures of docs/performance.md say.
/// </summary>
[Trait("Category", "Integration")]
public sealed class HardMomentsTests(ITestOutputHelper output)
{
    private static bool IsLong => Environment.GetEnvironmentVariable("ASYNC2_LONG") == "1";

    [Fact]
    public void In_a_storm_no_crash_is_shown_and_answers_are_whole()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["storm", "200"]);
        int captures = IsLong ? 300 : 12, whole = 0, again = 0;
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

    /// <summary>
    /// Whatever is shown of the program's own code is of the class that runs; what is not known is said. Several start side by side, so that the
    /// machine is busy.
    /// </summary>
    [Fact]
    public void In_its_first_second_no_name_is_invented()
    {
        var reads = new ConcurrentBag<YoungRead>();
        Parallel.For(0, IsLong ? 1000 : 8, new() { MaxDegreeOfParallelism = 2 * Environment.ProcessorCount }, _ => reads.Add(ReadYoung()));
        output.WriteLine($"{reads.Count} young processes ({reads.Count(r => r.Age.TotalSeconds < 1)} read in their first second): {reads.Count(r => r is { HasNames: true, IsMissing: false })} with all names, "
            + $"{reads.Count(r => r.IsMissing)} with names missing, {reads.Count(r => r.IsPartial)} partial, {reads.Count(r => r.IsAgain)} read more than once, {reads.Sum(r => r.Invented.Length)} names invented");
        Assert.Empty(reads.SelectMany(r => r.Invented));
        Assert.DoesNotContain(reads, r => r is { IsMissing: true, IsPartial: false });
        Assert.Contains(reads, r => r.HasNames);
    }

    private static YoungRead ReadYoung()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["churn", "200"]);
        TimeSpan age = Age(process.Pid);
        ToolRun run = ToolRun.Of(process.Pid.ToString(), "--format", "json", "--all");
        Assert.True(run.ExitCode is 0 or 4, run.Error);
        using var answer = JsonDocument.Parse(run.Output);
        string[] names = [.. answer.RootElement.GetProperty("stacks").EnumerateArray()
            .SelectMany(stack => stack.GetProperty("frames").EnumerateArray()).Select(frame => frame.GetProperty("method").GetString()!)];
        string[] own = [.. names.Where(name => name.StartsWith("Situations.", StringComparison.Ordinal))];
        return new(
            age, own.Length > 0, names.Any(name => name.StartsWith("<unknown", StringComparison.Ordinal)), run.ExitCode == 4,
            Outcome.ProblemCodes(answer.RootElement).Contains("A2D3016"), [.. own.Where(name => !Regex.IsMatch(name, @"^Situations\.(Churn|Program|Marks)\."))]);
    }

    private static TimeSpan Age(int pid) => DateTime.Now - Process.GetProcessById(pid).StartTime;

    private sealed record YoungRead(TimeSpan Age, bool HasNames, bool IsMissing, bool IsPartial, bool IsAgain, string[] Invented);
}
