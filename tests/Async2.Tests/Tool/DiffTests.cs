using System.Text.Json.Nodes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>A program changes as it is told, and says how; what <c>diff</c> says is compared with that.</summary>
[Trait("Category", "Integration")]
public sealed class DiffTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private string Snapshot => _folder.PathOf("before.async2snap");

    public static TheoryData<bool, bool> Builds => new(from isClassic in (bool[])[false, true] from collects in (bool[])[false, true] select (isClassic, collects));

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_is_stuck_moved_new_and_gone_is_what_the_program_did(bool isClassic, bool collects)
    {
        using ScenarioProcess process = Changing(isClassic);
        Assert.Equal(0, ToolRun.Of("snapshot", $"{process.Pid}", "-o", Snapshot).ExitCode);
        double number = process.Ask(collects ? "collect" : "change");
        JsonNode live = Diff(Snapshot, $"{process.Pid}");
        Assert.Equal(collects, (bool)live["collected"]!);
        // After a collection one in a hundred may be wrong.
        int tolerance = collects ? (int)number / 100 : 0;
        Check(live["totals"]!, process.Truth, number, tolerance);
        Assert.Equal(collects ? ["clock", "values"] : ["address"], Known(live).Except(["order"]));
        foreach (JsonNode group in Places(live))
            Assert.InRange(Math.Abs((long)group["counts"]!["stuck"]! - ((long)number / 4 * 6 / 10)), 0, tolerance);

        string dump = _folder.PathOf("after.dmp");
        ProgramDump.Write(process.Pid, dump);
        Check(Diff(Snapshot, dump)["totals"]!, process.Truth, number, tolerance);
    }

    [Fact]
    public void A_process_that_stands_still_is_stuck_as_a_whole()
    {
        using ScenarioProcess process = Changing(isClassic: false);
        ToolRun run = ToolRun.Of("diff", $"{process.Pid}", $"{process.Pid}", "--interval", "100ms");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"^200 stacks: none has moved in [0-9.]+ m?s\n", run.Output);
        Assert.Contains("== 50 stuck  50 -> 50  (known by address)", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Filters_limit_what_is_compared_and_moves_name_groups_that_are_shown()
    {
        using ScenarioProcess process = Changing(isClassic: false);
        Assert.Equal(0, ToolRun.Of("snapshot", $"{process.Pid}", "-o", Snapshot).ExitCode);
        process.Ask("change");
        ToolRun run = ToolRun.Of("diff", Snapshot, $"{process.Pid}", "--method", "PlainAsync");
        Assert.StartsWith("30 of 45 stacks that match --method PlainAsync have not moved in ", run.Output, StringComparison.Ordinal);
        Assert.Contains("== 30 stuck, 5 moved here, 5 new, 5 moved on, 10 gone  50 -> 40  (known by address)", run.Output, StringComparison.Ordinal);
        Assert.Matches("\n5 went from g1 to g[0-9]\n", run.Output);
        Assert.Contains("\n5 went on and came back to g1\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_processes_are_compared_by_numbers()
    {
        using ScenarioProcess one = Changing(isClassic: false), other = Changing(isClassic: false);
        Assert.Equal(0, ToolRun.Of("snapshot", $"{one.Pid}", "-o", Snapshot).ExitCode);
        other.Ask("change");
        JsonNode diff = Diff(Snapshot, $"{other.Pid}");
        Assert.Equal("A2D3055", (string)diff["problems"]![0]!["code"]!);
        // Eight more places with five each, and four with ten less.
        Assert.Equal((200, 180, 0, 0, 20, 40), Counts(diff["totals"]!));
    }

    [Theory]
    [InlineData("diff", "no-such-file.dmp")]
    [InlineData("diff")]
    public void A_target_that_is_missing_is_an_error(params string[] arguments)
    {
        ToolRun run = ToolRun.Of(arguments);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Matches("(?s)^error: .*fix: ", run.Error);
    }

    public void Dispose() => _folder.Dispose();

    private static ScenarioProcess Changing(bool isClassic) => ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["changing"]);

    private static JsonNode Diff(string before, string after)
    {
        ToolRun run = ToolRun.Of("diff", before, after, "--format", "json");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        JsonNode diff = JsonNode.Parse(run.Output)!;
        Assert.Empty(new SchemaCheck(JsonNode.Parse(File.ReadAllText(Repository.PathOf("docs", "async2.diff.schema.json")))!).Errors(diff));
        return diff;
    }

    private static void Check(JsonNode totals, Truth truth, double number, int tolerance)
    {
        (long before, long after, long stuck, long moved, long begun, long gone) = Counts(totals);
        Assert.Equal(((long)number, (long)number - Planned(truth, "gone") + Planned(truth, "new")), (before, after));
        Assert.All(
            ((long Is, string Name)[])[(stuck, "stuck"), (moved, "moved"), (begun, "new"), (gone, "gone")],
            count => Assert.InRange(count.Is - Planned(truth, count.Name), -tolerance, tolerance));
    }

    private static long Planned(Truth truth, string name) => truth.Marks![name];

    private static (long Before, long After, long Stuck, long Moved, long New, long Gone) Counts(JsonNode counts)
        => ((long)counts["before"]!, (long)counts["after"]!, (long)counts["stuck"]!, (long)counts["moved"]!, (long)counts["new"]!, (long)counts["gone"]!);

    private static IEnumerable<string> Known(JsonNode diff)
        => diff["groups"]!.AsArray().SelectMany(group => group!["known"]?.AsArray() ?? []).Select(known => (string)known!["by"]!).Distinct().Order(StringComparer.Ordinal);

    // Where they were before.
    private static IEnumerable<JsonNode> Places(JsonNode diff) => diff["groups"]!.AsArray().OfType<JsonNode>().Where(group => (long)group["counts"]!["before"]! > 0);
}
