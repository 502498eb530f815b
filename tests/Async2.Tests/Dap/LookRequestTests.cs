using System.Text.Json;
using Async2.Analysis;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

/// <summary>What a client learns of a process besides its stacks: what is wrong and where, what each of equal stacks has, what has moved, and what can be kept.</summary>
[Trait("Category", "Integration")]
public sealed class LookRequestTests
{
    [Fact]
    public void What_is_wrong_and_what_waits_has_places_that_exist()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["hotTill"]);
        using DapClient client = Attached(process);
        JsonElement findings = client.Call("async2/findings");
        JsonElement hot = Assert.Single(findings.GetProperty("findings").EnumerateArray());
        Assert.Equal(("hot-resource", "warning", "likely", 40), (hot.GetProperty("rule").GetString(), hot.GetProperty("severity").GetString(), hot.GetProperty("confidence").GetString(), hot.GetProperty("blocked").GetInt32()));
        Assert.True(findings.GetProperty("live").GetBoolean());
        Assert.InRange(findings.GetProperty("takenAt").GetDateTime(), DateTime.UtcNow.AddHours(-1), DateTime.UtcNow.AddSeconds(1));
        JsonElement[] steps = [.. hot.GetProperty("steps").EnumerateArray()];
        Dictionary<int, JsonElement> places = client.Call("async2/places").GetProperty("places").EnumerateArray().ToDictionary(place => place.GetProperty("line").GetInt32());
        Assert.Equal([1, 40], steps.Select(step => places[step.GetProperty("line").GetInt32()].GetProperty("stacks").GetInt32()));
        Assert.All(steps, step => Assert.True(File.Exists(step.GetProperty("path").GetString())));
        Assert.Equal("SemaphoreSlim", places[steps[1].GetProperty("line").GetInt32()].GetProperty("wait").GetString());

        JsonElement head = client.Call("async2/tree").GetProperty("head");
        JsonElement till = head.GetProperty("resources").EnumerateArray().Single(resource => resource.TryGetProperty("name", out JsonElement name) && name.GetString() == "Hot.Till");
        JsonElement held = head.GetProperty("edges").EnumerateArray().Single(edge => edge.GetProperty("from").GetString() == till.GetProperty("id").GetString());
        Assert.Equal(("held-by", steps[0].GetProperty("stack").GetString()), (held.GetProperty("relation").GetString(), held.GetProperty("to").GetString()));
        Assert.EndsWith("hotTill", head.GetProperty("capture").GetProperty("commandLine").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Each_of_a_group_is_listed_and_stays_in_a_snapshot_with_its_note()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["agesAlone"]);
        using DapClient client = Attached(process);
        JsonElement group = client.Call("async2/tree").GetProperty("stacks").EnumerateArray().First(stack => stack.GetProperty("count").GetInt32() == 40);
        string id = group.GetProperty("id").GetString()!, key = group.GetProperty("key").GetString()!;
        JsonElement first = client.Call("async2/members", new { stack = id, count = 3 }), later = client.Call("async2/members", new { stack = id, start = 3, count = 100 });
        string[] tasks = [.. first.GetProperty("members").EnumerateArray().Concat(later.GetProperty("members").EnumerateArray()).Select(member => member.GetProperty("task").GetString()!)];
        Assert.Equal(40, tasks.Distinct().Count());
        JsonElement spread = Assert.Single(first.GetProperty("spread").EnumerateArray());
        Assert.Equal((40, 40), (spread.GetProperty("values").GetInt32(), spread.GetProperty("of").GetInt32()));
        Assert.Equal(40, first.GetProperty("read").GetInt32());

        using var folder = new TemporaryFolder();
        string path = folder.PathOf("kept.async2snap");
        File.WriteAllBytes(path, client.Call("async2/snapshot", new { locals = true, notes = new[] { new { key, text = "look \u001b here" } } }).GetProperty("snapshot").GetBytesFromBase64());
        Assert.Equal([key], SnapshotFile.Read(path).Model.Notes.Select(note => note.Key));
        using DapClient again = DapClient.OfTool().Stop(new { dumpPath = path });
        Assert.Equal("look \\u001b here", Assert.Single(again.Call("async2/tree").GetProperty("head").GetProperty("notes").EnumerateArray()).GetProperty("text").GetString());
        Assert.Equal(40, Assert.Single(again.Call("async2/members", new { stack = id }).GetProperty("spread").EnumerateArray()).GetProperty("values").GetInt32());
        // Without notes of its own a snapshot keeps what it has; with none, none.
        File.WriteAllBytes(path, again.Call("async2/snapshot", new { redact = true }).GetProperty("snapshot").GetBytesFromBase64());
        Assert.Single(SnapshotFile.Read(path).Model.Notes);
        Assert.False(SnapshotFile.Read(path).HasLocals);
        again.Fail("async2/snapshot", new { notes = new[] { 7 } });
    }

    [Fact]
    public void A_refresh_says_what_has_moved_since_the_last_look_and_since_one_that_was_pinned()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["moving"]);
        using DapClient client = Attached(process);
        Assert.False(client.Call("async2/tree").GetProperty("head").TryGetProperty("since", out _));
        client.Call("async2/pin");
        Assert.Equal("moved", process.AnswerTo("move"));
        client.Call("async2/refresh");
        JsonElement moved = Since(client);
        Assert.Equal((1, 1, 0, 0), Counts(moved.GetProperty("totals")));
        Assert.True(moved.GetProperty("pinned").GetBoolean());
        Assert.Equal([(0, 1, 0), (1, 0, 0)], client.Call("async2/tree").GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("fates"))
            .Select(fates => (fates.GetProperty("stuck").GetInt32(), fates.GetProperty("moved").GetInt32(), fates.GetProperty("new").GetInt32())).Order());
        client.Call("async2/refresh");
        Assert.Equal((1, 1, 0, 0), Counts(Since(client).GetProperty("totals")));
        client.Call("async2/pin", new { pinned = false });
        Assert.Equal((2, 0, 0, 0), Counts(Since(client).GetProperty("totals")));
    }

    private static DapClient Attached(ScenarioProcess process) => DapClient.OfTool().Stop(new { processId = process.Pid }, "attach");

    private static JsonElement Since(DapClient client) => client.Call("async2/tree").GetProperty("head").GetProperty("since");

    private static (int Stuck, int Moved, int New, int Gone) Counts(JsonElement totals)
        => (totals.GetProperty("stuck").GetInt32(), totals.GetProperty("moved").GetInt32(), totals.GetProperty("new").GetInt32(), totals.GetProperty("gone").GetInt32());
}
