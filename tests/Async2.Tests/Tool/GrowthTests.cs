using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Async2.Analysis.Watching;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>A program that leaks at one place, while others come and go, says how it does; what <c>diff</c> of several snapshots says is compared with that.</summary>
[Trait("Category", "Integration")]
public sealed class GrowthTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_only_grows_is_shown_and_nothing_else(bool isClassic)
    {
        using ScenarioProcess process = ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["leaking"]);
        string[] files = [.. Enumerable.Range(1, 4).Select(number => _folder.PathOf($"{number}.async2snap"))];
        foreach (string file in files)
        {
            Assert.Equal(0, ToolRun.Of("snapshot", $"{process.Pid}", "-o", file).ExitCode);
            process.Ask("leak");
        }
        ToolRun json = ToolRun.Of(["diff", .. files, "--format", "json"]);
        Assert.Equal((0, ""), (json.ExitCode, json.Error));
        JsonNode growth = JsonNode.Parse(json.Output)!;
        Assert.Empty(new SchemaCheck(JsonNode.Parse(File.ReadAllText(Repository.PathOf("docs", "async2.growth.schema.json")))!).Errors(growth));
        // Those that stay and guests are not among them.
        Assert.Equal(
            [("LeakAsync", "5 10 15 20", 15, 0), ("RunAsync", "2 4 6 8", 6, 2 + 4 + 6)],
            growth["groups"]!.AsArray().Select(group => ((string)group!["stack"]!["frames"]![0]!["name"]!, string.Join(' ', group["counts"]!.AsArray()), (int)group["growth"]!, (int)group["ended"]!)));
        Assert.Equal((2, "22 24 38 46"), ((int)growth["others"]!, string.Join(' ', growth["stacks"]!.AsArray())));
        double minutes = (double)growth["overMs"]! / 60_000;
        Assert.InRange((double)growth["groups"]![0]!["perMinute"]! * minutes, 14.9, 15.1);

        ToolRun text = ToolRun.Of(["diff", .. files]);
        Assert.Matches(@"^2 of 4 groups only grow, by 21 stacks over 4 looks in [0-9.]+ s\n", text.Output);
        Assert.Matches(@"\n== \+15 in [0-9.]+ s, [0-9,.]+ a minute; none went on  5 -> 10 -> 15 -> 20\n\n20x  awaiting", text.Output);
        Assert.Matches(@"\n== \+6 in .*; 12 went on  2 -> 4 -> 6 -> 8\n", text.Output);
        Assert.Contains("nothing only grows: none of 1 group that match --method VisitAsync over 3 looks", ToolRun.Of(["diff", .. files[..3], "--method", "VisitAsync"]).Output, StringComparison.Ordinal);

        ToolRun wrong = ToolRun.Of(["diff", .. files.Reverse()]);
        Assert.Equal((2, ""), (wrong.ExitCode, wrong.Output));
        Assert.Contains("was taken before", wrong.Error, StringComparison.Ordinal);

        ToolRun page = ToolRun.Of(["diff", .. files, "--format", "html", "--limit", "1"]);
        Assert.Equal((0, ""), (page.ExitCode, page.Error));
        JsonNode drawn = JsonNode.Parse(Regex.Match(page.Output, """<script type="application/json" id="async2-growth">(.*?)</script>""").Groups[1].Value)!;
        Assert.StartsWith("2 of 4 groups only grow, by 21 stacks over 4 looks in ", (string)drawn["verdict"]!, StringComparison.Ordinal);
        JsonNode row = Assert.Single(drawn["groups"]!.AsArray())!;
        Assert.Equal(("5 10 15 20", 1, 2, "22 24 38 46"), (string.Join(' ', row["counts"]!.AsArray()), (int)drawn["rest"]!, (int)drawn["others"]!, string.Join(' ', drawn["stacks"]!.AsArray())));
        Assert.Equal("Leaking.LeakAsync", (string)row["name"]!);
        Assert.Matches(@"^\+15 in [0-9.]+ s, [0-9,.]+ a minute; none went on$", (string)row["pace"]!);
    }

    [Theory]
    [InlineData(true, 1, 1, 2)]
    [InlineData(true, 0, 3, 3)]
    [InlineData(false, 2, 2, 2)]
    [InlineData(false, 1, 3, 2)]
    [InlineData(false, 3, 2, 4)]
    public void To_only_grow_is_never_to_shrink(bool grows, long first, long second, long third) => Assert.Equal(grows, GrowthSeries.OnlyGrows([first, second, third]));

    public void Dispose() => _folder.Dispose();
}
