using System.Diagnostics;
using System.Text.Json.Nodes;
using Async2.Analysis.Analyses;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Agents;

/// <summary>What an agent is told is what the tool says, in the shape that was promised, and never longer than it may be.</summary>
[Trait("Category", "Integration")]
public sealed class AgentAnswerTests
{
    [Fact]
    public async Task Agents_get_the_answer_of_the_tool()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["holders"]);
        await using AgentClient client = await AgentClient.Start("--process", process.Pid.ToString());
        JsonNode tool = JsonNode.Parse(ToolRun.Of(process.Pid.ToString(), "--format", "json").Output)!;
        (JsonObject first, string text) = await client.AskBoth("analyze", new { target = process.Pid.ToString() });
        Assert.Equal("process", (string?)first["target"]!["kind"]);
        Assert.Equal((int)tool["totals"]!["stacks"]!, (int)first["stacks"]!);
        Assert.Equal(tool["stacks"]!.AsArray().Count, (int)first["groups"]!);
        Assert.True((bool)first["complete"]!);
        Assert.Contains("deadlock (certain): \"Holders.TwiceAsync (Holders.cs:", text);
        JsonArray findings = (await client.Ask("findings", new { capture = "c1" }))["findings"]!.AsArray();
        Assert.Equal(tool["findings"]!.AsArray().Select(finding => (string?)finding!["text"]), findings.Select(finding => (string?)finding!["text"]));
        // The stack that proves it, by the id that the finding names.
        JsonObject stack = await client.Ask("stack", new { capture = "c1", stack = (string)findings[0]!["stacks"]![0]! });
        JsonNode innermost = stack["frames"]![0]!, same = Assert.Single(tool["stacks"]!.AsArray(), s => (string?)s!["id"] == (string?)tool["findings"]![0]!["stacks"]![0])!["frames"]![0]!;
        foreach (string field in (string[])["method", "file", "line", "token", "mvid", "ilOffset", "exactness", "address"])
            Assert.True(JsonNode.DeepEquals(same[field], innermost[field]), field);
    }

    [Fact]
    public async Task A_capture_is_asked_without_the_process()
    {
        string capture;
        await using AgentClient client = await AgentClient.Start("--process", "*");
        using (ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["holders"]))
            capture = (string)(await client.Ask("analyze", new { target = process.Pid.ToString() }))["capture"]!;
        JsonObject waits = await client.Ask("query", new { capture, waiting_on = "Semaphore", state = "awaiting" }), all = await client.Ask("query", new { capture });
        Assert.InRange((int)waits["matching"]!, 1, (int)all["matching"]! - 1);
        // Ids are of the capture, not of an answer.
        foreach (JsonNode? group in waits["groups"]!.AsArray())
            Assert.Equal((string?)group!["key"], (string?)(await client.Ask("stack", new { capture, stack = (string)group["id"]! }))["stack"]!["key"]);
        JsonObject sections = await client.Ask("query", new { capture, group_by = "state" });
        Assert.Equal((int)all["matching"]!, sections["sections"]!.AsArray().Sum(section => (int)section!["count"]!));
    }

    [Theory]
    [InlineData(500)]
    [InlineData(1500)]
    public async Task Pages_have_everything_once(int tokens)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["holders"]);
        await using AgentClient client = await AgentClient.Start("--process", "*");
        JsonObject first = await client.Ask("analyze", new { target = process.Pid.ToString(), max_tokens = tokens });
        var ids = new List<string>();
        int stacks = 0, pages = 0;
        for (string? after = null; ; pages++)
        {
            JsonObject page = after is null ? await client.Ask("query", new { capture = "c1", max_tokens = tokens }) : await client.Ask("query", new { capture = "c1", max_tokens = tokens, after });
            foreach (JsonNode? group in page["groups"]!.AsArray())
            {
                ids.Add((string)group!["id"]!);
                stacks += (int)group["count"]!;
            }
            after = (string?)page["next"];
            if (after is null)
                break;
        }
        Assert.True(pages > 1);
        Assert.Equal(ids.Distinct().Count(), ids.Count);
        Assert.Equal(((int)first["groups"]!, (int)first["stacks"]!), (ids.Count, stacks));
    }

    [Fact]
    public async Task A_million_frames_cost_no_more()
    {
        ProcessStartInfo start = new("dotnet", [Repository.PathOf("dumps", "Workloads", "bin", "Release", "net10.0", "Workloads.dll"), "mixed", "10000", "100"]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        start.Environment["DOTNET_RuntimeAsync"] = "1";
        using Process workload = Process.Start(start)!;
        try
        {
            int frames = int.Parse((await workload.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken))!["frames ".Length..]);
            await workload.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
            Assert.InRange(frames, 900_000, int.MaxValue);
            await using AgentClient client = await AgentClient.Start("--process", workload.Id.ToString());
            JsonObject first = await client.Ask("analyze", new { target = workload.Id.ToString() });
            Assert.InRange((int)first["stacks"]!, 10_000, int.MaxValue);
            foreach (int tokens in (int[])[500, 4000, 50_000])
            {
                await client.Ask("query", new { capture = "c1", max_tokens = tokens });
                await client.Ask("stack", new { capture = "c1", stack = (string)first["largest"]![0]!["id"]!, max_tokens = tokens, framework = true });
            }
        }
        finally
        {
            workload.StandardInput.Close();
            await workload.WaitForExitAsync(TestContext.Current.CancellationToken);
        }
    }

    [Fact]
    public async Task Frames_come_in_pages()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["deep"]);
        await using AgentClient client = await AgentClient.Start("--process", "*");
        JsonObject first = await client.Ask("analyze", new { target = process.Pid.ToString() });
        string deepest = "";
        int frames = 0;
        foreach (JsonNode? group in first["largest"]!.AsArray())
        {
            if ((int?)group!["moreFrames"] is { } more && more > frames)
                (deepest, frames) = ((string)group["id"]!, more);
        }
        var indexes = new List<int>();
        for (string? after = null; ;)
        {
            JsonObject page = after is null ? await client.Ask("stack", new { capture = "c1", stack = deepest, max_tokens = 2000 }) : await client.Ask("stack", new { capture = "c1", stack = deepest, max_tokens = 2000, after });
            indexes.AddRange(page["frames"]!.AsArray().Select(frame => (int)frame!["index"]!));
            if ((after = (string?)page["next"]) is null)
                break;
            if (indexes.Count > 300)
                break;
        }
        Assert.True(indexes.Count > 20, $"{indexes.Count} frames");
        Assert.Equal(Enumerable.Range(0, indexes.Count), indexes);
    }

    [Fact]
    public async Task Two_captures_are_compared()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["holders"]);
        await using AgentClient client = await AgentClient.Start("--process", "*");
        JsonObject first = await client.Ask("analyze", new { target = process.Pid.ToString() });
        JsonObject diff = await client.Ask("diff", new { before = "c1", now = process.Pid.ToString() });
        Assert.Equal(("c1", "c2"), ((string?)diff["before"], (string?)diff["now"]));
        Assert.Equal(((int)first["stacks"]!, 0, 0), ((int)diff["totals"]!["stuck"]!, (int)diff["totals"]!["new"]!, (int)diff["totals"]!["gone"]!));
        Assert.Contains(diff["findings"]!.AsArray(), finding => (string?)finding!["change"] == "still" && (string?)finding["rule"] == "deadlock");
    }

    [Fact]
    public async Task Rules_are_explained_in_pages_and_as_resources()
    {
        await using AgentClient client = await AgentClient.Start();
        var resources = await client.Protocol.ListResourcesAsync(cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(FindingRules.All.Order(), resources.Select(resource => resource.Name).Order());
        foreach (string rule in FindingRules.All)
        {
            string page = "";
            for (string? after = "0"; after is not null;)
            {
                JsonObject part = await client.Ask("explain_finding", new { rule, max_tokens = 600, after });
                page += (string)part["page"]!;
                after = (string?)part["next"];
            }
            Assert.Equal(FindingRules.PageOf(rule), page);
        }
    }

    [Fact]
    public async Task Variables_are_for_those_who_allow_them()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["holders"]);
        await using (AgentClient without = await AgentClient.Start("--process", "*"))
            Assert.DoesNotContain("locals", without.Tools);
        await using AgentClient client = await AgentClient.Start("--process", "*", "--locals");
        JsonObject first = await client.Ask("analyze", new { target = process.Pid.ToString() });
        JsonObject locals = await client.Ask("locals", new { capture = "c1", stack = (string)first["largest"]![0]!["id"]! });
        Assert.Contains(locals["frames"]!.AsArray().SelectMany(frame => frame!["locals"]!.AsArray()), local => (string?)local!["name"] == "this" && (string?)local["type"] == "Holders");
    }

    [Fact]
    public async Task A_snapshot_is_written_and_read()
    {
        using var folder = new TemporaryFolder();
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["holders"]);
        await using AgentClient client = await AgentClient.Start("--process", "*", "--folder", folder.Path);
        JsonObject first = await client.Ask("analyze", new { target = process.Pid.ToString() });
        string file = folder.PathOf("hang.async2snap");
        await client.Ask("snapshot", new { capture = "c1", file });
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
        JsonObject again = await client.Ask("analyze", new { target = file });
        Assert.Equal("snapshot", (string?)again["target"]!["kind"]);
        Assert.Equal(((int)first["stacks"]!, (int)first["groups"]!), ((int)again["stacks"]!, (int)again["groups"]!));
        Assert.True(JsonNode.DeepEquals(first["findings"], again["findings"]));
        Assert.Contains("nothing is replaced", await client.Fail("snapshot", new { capture = "c1", file }));
    }
}
