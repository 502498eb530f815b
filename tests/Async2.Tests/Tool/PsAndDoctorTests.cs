using System.Diagnostics;
using System.Text.Json;
using Async2.Analysis.Targets.Processes;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

[Collection(ToolCollection.Name)]
public sealed class PsAndDoctorTests(RunningSample sample)
{
    [Fact]
    public void Ps_lists_the_sample_with_its_counts_and_not_itself()
    {
        // By its own pid: other tests list processes at the same time, and are rightly listed.
        Process tool = ToolRun.Start("ps");
        int own = tool.Id;
        ToolRun run = ToolRun.Finish(tool);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"^\d+ \.NET process(es)?, \d+ with async stacks \([\d,]+ stacks\)", run.Output);
        Assert.Matches($@"\n *{sample.PidText}  Demo +\S+  runtime +410 +1,218  exhausted-pool ", run.Output);
        Assert.DoesNotMatch($@"\n *{own}  ", run.Output);
    }

    [Fact]
    public void Ps_as_json()
    {
        JsonElement root = JsonDocument.Parse(ToolRun.Of("ps", "--format", "json").Output).RootElement;
        Assert.Equal("async2.ps/1", root.GetProperty("schema").GetString());
        JsonElement row = root.GetProperty("processes").EnumerateArray().Single(process => process.GetProperty("pid").GetInt32() == sample.Pid);
        Assert.Equal(("Demo", 410, "exhausted-pool"), (row.GetProperty("name").GetString(), row.GetProperty("stacks").GetInt32(), row.GetProperty("verdict").GetString()));
    }

    [Fact]
    public void Ps_by_lines_names_each_process_at_once_and_says_more_when_it_was_read()
    {
        ToolRun run = ToolRun.Of("ps", sample.PidText, "--format", "ndjson");
        JsonElement[] rows = [.. run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal(["pending", "exhausted-pool"], rows.Select(row => row.GetProperty("verdict").GetString()));
        Assert.All(rows, row => Assert.Equal(("Demo", sample.Pid), (row.GetProperty("name").GetString(), row.GetProperty("pid").GetInt32())));
        Assert.Equal((false, 410), (rows[0].TryGetProperty("stacks", out _), rows[1].GetProperty("stacks").GetInt32()));
    }

    [Fact]
    public void Ps_of_some_processes()
    {
        ToolRun byPid = ToolRun.Of("ps", sample.PidText);
        Assert.Equal((0, ""), (byPid.ExitCode, byPid.Error));
        Assert.StartsWith("1 .NET process, 1 with async stacks (410 stacks)\n", byPid.Output);

        // Twice the same is one row.
        ToolRun byName = ToolRun.Of("ps", "Demo", sample.PidText, "--format", "json");
        JsonElement[] rows = [.. JsonDocument.Parse(byName.Output).RootElement.GetProperty("processes").EnumerateArray()];
        Assert.All(rows, row => Assert.Equal("Demo", row.GetProperty("name").GetString()));
        Assert.Single(rows, row => row.GetProperty("pid").GetInt32() == sample.Pid);
    }

    [Theory]
    [InlineData("no-such-program", "No .NET process is called 'no-such-program'.")]
    [InlineData("1", "Process 1 is not a .NET process that this user can see.")]
    public void Ps_of_what_is_not_there(string word, string message)
    {
        ToolRun run = ToolRun.Of("ps", sample.PidText, word);
        Assert.Equal((3, ""), (run.ExitCode, run.Output));
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.Contains("dotnet-async2 ps", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_can_be_named_when_only_one_has_the_name()
    {
        // Somebody else may run the demo on this machine, too; then the name is ambiguous and both are listed.
        int demos = ProcessList.FindByName("Demo").Length;
        ToolRun run = ToolRun.Of("Demo");
        Assert.Contains(demos == 1 ? "410 stacks" : sample.PidText, demos == 1 ? run.Output : run.Error);
    }

    [Fact]
    public void The_doctor_finds_the_sample_healthy()
    {
        ToolRun run = ToolRun.Of("doctor", sample.PidText);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"\nok +target +read to the end: 410 stacks, 0 problems\n", run.Output);
        Assert.Matches(@"\nok +symbols +Demo\.dll has source lines\n", run.Output);
        Assert.Matches(@"\nok +diagnostics ", run.Output);
        Assert.Matches(@"\nok +dac ", run.Output);
    }

    [Fact]
    public void The_doctor_says_what_is_wrong_with_a_target()
    {
        ToolRun run = ToolRun.Of("doctor", "no-such-target");
        Assert.Equal(3, run.ExitCode);
        Assert.Matches(@"\nfail +target +.*no-such-target.*\n +fix: ", run.Output);
    }
}
