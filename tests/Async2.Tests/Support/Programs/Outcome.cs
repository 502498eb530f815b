using System.Text.Json;
using System.Text.RegularExpressions;

namespace Async2.Tests.Support.Programs;

/// <summary>
/// What a run of the tool owes its user, whatever it was given: an answer on standard output, or a refusal of two lines on
/// standard error. <see cref="ToolRun"/> bounds the time.
/// </summary>
internal static partial class Outcome
{
    /// <summary>Says what is wrong and what to do, and nothing else.</summary>
    /// <param name="run">The run.</param>
    /// <param name="exitCode">2 for wrong usage, 3 for a target that cannot be read.</param>
    /// <param name="message">Part of the first line.</param>
    /// <param name="fix">Part of the second line.</param>
    public static void IsRefusal(ToolRun run, int exitCode, string message, string fix)
    {
        Assert.Equal((exitCode, ""), (run.ExitCode, run.Output));
        Match lines = Refusal().Match(run.Error);
        Assert.True(lines.Success, run.Error);
        Assert.Contains(message, lines.Groups["error"].Value, StringComparison.Ordinal);
        Assert.Contains(fix, lines.Groups["fix"].Value, StringComparison.Ordinal);
        Assert.DoesNotContain("this is a bug", run.Error, StringComparison.Ordinal);
    }

    /// <summary>A target that cannot be read (3), or an answer that says that it is partial (4).</summary>
    public static void IsNotWhole(ToolRun run) => Assert.Equal(run.Output.Length == 0 ? 3 : 4, run.ExitCode);

    /// <summary>A whole answer, a partial one, or a refusal: no crash, no stack trace, no mixture.</summary>
    public static void IsSane(ToolRun run)
    {
        if (run.Output.Length == 0)
        {
            IsRefusal(run, 3, "", "");
            return;
        }
        Assert.Equal("", run.Error);
        Assert.True(run.ExitCode is 0 or 4, $"exit code {run.ExitCode}");
        string[] lines = run.Output.TrimEnd('\n').Split('\n');
        Assert.Matches("stacks?", lines[0]);
        Assert.Matches(run.ExitCode == 0 ? @"^\d+ problems?(, all stacks found)?$" : @"^\d+ problems?, answer is partial$", lines[^1]);
    }

    /// <summary>An answer in JSON without a problem, whose stacks are all in one state.</summary>
    public static void IsWhole(ToolRun run, string state, int stacks)
    {
        JsonElement answer = Json(run, 0);
        Assert.Equal(Enumerable.Repeat(state, stacks), answer.GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("state").GetString()));
        Assert.Empty(answer.GetProperty("problems").EnumerateArray());
    }

    /// <summary>An answer in JSON, whole or not.</summary>
    public static JsonElement Json(ToolRun run, int exitCode)
    {
        Assert.Equal((exitCode, ""), (run.ExitCode, run.Error));
        return JsonDocument.Parse(run.Output).RootElement;
    }

    /// <summary>Codes of the problems of an answer in JSON, each once.</summary>
    public static IEnumerable<string> ProblemCodes(JsonElement answer)
        => answer.GetProperty("problems").EnumerateArray().Select(problem => problem.GetProperty("code").GetString()!).Distinct().Order(StringComparer.Ordinal);

    /// <summary>Whether the frames of a module have source lines: all, none, or <c>null</c> for some.</summary>
    public static bool? HasLines(JsonElement answer, string module)
    {
        bool[] lines = [.. answer.GetProperty("stacks").EnumerateArray()
            .SelectMany(stack => stack.GetProperty("frames").EnumerateArray())
            .Where(frame => frame.TryGetProperty("module", out JsonElement name) && name.GetString() == module)
            .Select(frame => frame.TryGetProperty("line", out _))];
        Assert.NotEmpty(lines);
        return lines.All(line => line) ? true : lines.Any(line => line) ? null : false;
    }

    [GeneratedRegex(@"^error: (?<error>.+)\nfix: (?<fix>.+)\n$")]
    private static partial Regex Refusal();
}
