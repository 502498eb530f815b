using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Tests.Dap;

/// <summary>The built tool as a debug adapter: the same stacks as its other answers, and an orderly end whatever happens.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class AdapterTests(ScenarioDump dump)
{
    private object Arguments => new { dumpPath = dump.Path };

    [Fact]
    public void A_dump_has_the_stacks_frames_and_lines_of_the_command_line()
    {
        using DapClient client = DapClient.OfTool().Stop(Arguments);
        JsonElement[] expected = [.. JsonDocument.Parse(ToolRun.Of("analyze", dump.Path, "--format", "json").Output).RootElement.GetProperty("stacks").EnumerateArray()];
        JsonElement[] threads = [.. client.Call("threads").GetProperty("threads").EnumerateArray()];
        Assert.Equal(4, expected.Length);
        Assert.Equal(expected.Length, threads.Length);
        foreach ((JsonElement stack, JsonElement thread) in expected.Zip(threads))
        {
            int id = thread.GetProperty("id").GetInt32();
            Assert.Equal(stack.GetProperty("id").GetString(), $"s{id}");
            Assert.Equal(
                stack.GetProperty("frames").EnumerateArray().Select(frame => (frame.GetProperty("method").GetString(), frame.GetProperty("line").GetInt32(), frame.GetProperty("file").GetString())),
                client.Frames(id).Where(frame => frame.GetProperty("presentationHint").GetString() != "label").Select(frame =>
                    (frame.GetProperty("name").GetString(), frame.GetProperty("line").GetInt32(), frame.GetProperty("source").GetProperty("path").GetString())));
        }
        client.Disconnect();
        Assert.Equal(0, client.Process!.ExitCode);
    }

    [Fact]
    public void Variables_of_a_frame_are_those_of_the_command_line_and_can_be_opened()
    {
        using DapClient client = DapClient.OfTool().Stop(Arguments);
        JsonElement stack = JsonDocument.Parse(ToolRun.Of("analyze", dump.Path, "--format", "json", "--locals").Output).RootElement.GetProperty("stacks")[0];
        JsonElement expected = stack.GetProperty("frames")[0].GetProperty("locals");
        Dictionary<string, JsonElement> locals = client.Scope(client.Frames(1)[1].GetProperty("id").GetInt32(), "Locals");
        Assert.Equal(
            // Of an object its type says more than its address.
            expected.EnumerateArray().Select(local => (local.GetProperty("name").GetString()!, local.GetProperty("value").GetString() is ['{', '0', 'x', ..] ? $"{{{local.GetProperty("type").GetString()}}}" : local.GetProperty("value").GetString())),
            locals.Select(local => (local.Key, local.Value.GetProperty("value").GetString())));
        JsonElement trail = locals.Values.Single(local => local.GetProperty("type").GetString() == "Trail");
        Assert.Contains("_frame", client.Open(trail).Select(field => field.GetProperty("name").GetString()));
        JsonElement awaited = client.Scope(client.Frames(1)[0].GetProperty("id").GetInt32(), "Wait")["waiting for"];
        Assert.Contains("m_stateFlags", client.Open(awaited).Select(field => field.GetProperty("name").GetString()));
    }

    [Theory]
    [InlineData("method:Pack", "--method", "Pack")]
    [InlineData("waiting:Delay", "--waiting-on", "Delay")]
    [InlineData("with:NestedCalls.cs:17 without:Pick", "--with", "NestedCalls.cs:17", "--without", "Pick")]
    [InlineData("module:Scenarios", "--module", "Scenarios")]
    [InlineData("state:active", "--state", "active")]
    public void A_query_finds_the_same_as_the_command_line_filter(string query, params string[] filter)
    {
        JsonElement expected = JsonDocument.Parse(ToolRun.Of(["analyze", dump.Path, "--format", "json", .. filter]).Output).RootElement.GetProperty("stacks");
        AssertFinds(dump.Path, query, expected);
        using var folder = new TemporaryFolder();
        string snapshot = folder.PathOf("saved.async2snap");
        ToolRun.Of("snapshot", dump.Path, "-o", snapshot);
        AssertFinds(snapshot, query, expected);
    }

    private static void AssertFinds(string path, string query, JsonElement expected)
    {
        using DapClient client = DapClient.OfTool().Stop(new { dumpPath = path });
        JsonElement found = client.Call("async2/stacks", new { query });
        Assert.Equal(expected.GetArrayLength(), found.GetProperty("total").GetInt32());
        Assert.Equal(
            expected.EnumerateArray().Select(stack => stack.GetProperty("frames")[0].GetProperty("method").GetString()),
            found.GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("frame").GetString()!.Split("  ")[0]));
    }

    [Fact]
    public void The_tree_and_the_page_have_all_stacks()
    {
        using DapClient client = DapClient.OfTool().Stop(Arguments);
        JsonElement tree = client.Call("async2/tree", new { page = 0 });
        Assert.Equal("async2.tree/1", tree.GetProperty("schema").GetString());
        Assert.Equal(4, tree.GetProperty("stacks").GetArrayLength());
        Assert.Contains("There is no page 1", client.Fail("async2/tree", new { page = 1 }).Text, StringComparison.Ordinal);
        Assert.StartsWith("<!DOCTYPE html>", client.Call("async2/html").GetProperty("html").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_live_process_is_read_again_and_runs_on()
    {
        ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        using DapClient client = DapClient.OfTool().Stop(new { processId = process.Pid.ToString() }, "attach");
        int frame = client.Frames(1)[1].GetProperty("id").GetInt32();
        Assert.DoesNotContain('t', ProcessFacts.ThreadStates(process.Pid));
        client.Call("pause", new { threadId = 1 });
        client.Event("async2/changed");
        client.Event("stopped", 2);
        Assert.Equal(4, client.Call("threads").GetProperty("threads").GetArrayLength());
        Assert.NotEqual(frame, client.Frames(1)[1].GetProperty("id").GetInt32());
        Assert.DoesNotContain('t', ProcessFacts.ThreadStates(process.Pid));

        process.Dispose();
        (string text, bool isForUser) = client.Fail("async2/refresh");
        Assert.Contains($"no running process {process.Pid}", text, StringComparison.Ordinal);
        Assert.False(isForUser);
        Assert.Contains("What is shown is from the last capture", client.Console, StringComparison.Ordinal);
        // What was seen is still there, variables included.
        Assert.NotEmpty(client.Scope(client.Frames(1)[1].GetProperty("id").GetInt32(), "Locals"));
        client.Disconnect();
        Assert.Equal(0, client.Process!.ExitCode);
    }

    [Theory]
    [InlineData("full")]
    [InlineData("none")]
    public void A_process_runs_on_during_a_session_in_every_freeze_mode(string freeze)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        using DapClient client = DapClient.OfTool().Stop(new { processId = process.Pid, freeze }, "attach");
        Assert.DoesNotContain('t', ProcessFacts.ThreadStates(process.Pid));
        Assert.NotEmpty(client.Scope(client.Frames(1)[1].GetProperty("id").GetInt32(), "Locals"));
    }

    [Fact]
    public void Two_sessions_do_not_disturb_each_other()
    {
        using DapClient one = DapClient.OfTool(), other = DapClient.OfTool();
        one.Stop(Arguments);
        other.Stop(new { dumpPath = dump.Path, groupStacks = false });
        string[] frames = [.. one.Frames(1).Select(frame => frame.GetProperty("name").GetString()!)];
        one.Disconnect();
        Assert.Equal(frames, other.Frames(1).Select(frame => frame.GetProperty("name").GetString()!));
    }

    [Fact]
    public void A_launch_can_be_cancelled()
    {
        using DapClient client = DapClient.OfTool();
        client.Call("initialize");
        int launch = client.Send("launch", Arguments);
        client.Call("cancel", new { requestId = launch });
        Assert.Equal(("cancelled", false), client.Error(launch));
        client.Disconnect();
        Assert.Equal(0, client.Process!.ExitCode);
    }

    [Fact]
    public void The_error_for_an_unreadable_target_has_a_fix()
    {
        using var folder = new TemporaryFolder();
        string text = folder.PathOf("no.dmp");
        File.WriteAllText(text, "hello, this is not a dump at all");
        string cut = dump.Copy();
        using (FileStream file = File.OpenWrite(cut))
            file.SetLength(file.Length / 100);
        using DapClient client = DapClient.OfTool();
        foreach ((object arguments, string error) in (IEnumerable<(object, string)>)
        [
            (new { dumpPath = text }, "is not a dump"),
            (new { dumpPath = folder.PathOf("missing.dmp") }, "There is no dump"),
            (new { dumpPath = folder.Path }, "is a folder"),
            (new { dumpPath = cut }, "cannot be used"),
        ])
        {
            (string told, bool isForUser) = client.Fail("launch", arguments);
            Assert.Contains(error, told, StringComparison.Ordinal);
            Assert.True(isForUser);
        }
        Assert.Contains("no running process", client.Fail("attach", new { processId = 99999999 }).Text, StringComparison.Ordinal);
        Assert.Contains("no .NET runtime", client.Fail("attach", new { processId = 2 }).Text, StringComparison.Ordinal);
        client.Call("threads");
    }

    [Fact]
    public void A_dump_without_a_heap_says_that_the_stacks_are_missing()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        using var folder = new TemporaryFolder();
        new DiagnosticsClient(process.Pid).WriteDump(DumpType.Normal, folder.PathOf("small.dmp"));
        using DapClient client = DapClient.OfTool().Stop(new { dumpPath = folder.PathOf("small.dmp") });
        JsonElement thread = Assert.Single(client.Call("threads").GetProperty("threads").EnumerateArray());
        Assert.Equal("no async stacks found, but the answer is partial", thread.GetProperty("name").GetString());
        Assert.Contains("write a full dump with dotnet-async2 dump collect PID", client.Console, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("hello\r\n\r\n", "a header without a colon")]
    [InlineData("Content-Length: 99999999999\r\n\r\n", "not a number up to")]
    public void Invalid_input_ends_the_session_with_an_error(string garbage, string error)
    {
        using DapClient client = DapClient.OfTool();
        client.Call("initialize");
        client.WriteRaw(garbage);
        client.Event("terminated");
        Assert.Contains(error, client.Console, StringComparison.Ordinal);
        client.WaitForEnd();
        Assert.Equal(2, client.Process!.ExitCode);
    }

    [Fact]
    public void A_message_that_is_not_json_is_ignored()
    {
        using DapClient client = DapClient.OfTool();
        client.Write("{bad}"u8.ToArray());
        client.Call("initialize");
        Assert.Contains("it is not JSON", client.Console, StringComparison.Ordinal);
        client.Disconnect();
        Assert.Equal(0, client.Process!.ExitCode);
    }
}
