using System.Text.Json;
using System.Text.Json.Nodes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>The main command against a running program.</summary>
[Collection(ToolCollection.Name)]
public sealed class AnalyzeTests(RunningSample sample)
{
    [Fact]
    public void A_bare_pid_is_answered_on_standard_output_alone()
    {
        ToolRun run = ToolRun.Of(sample.PidText);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("warning: exhausted-pool  all 2 permits of `PaymentGateway._free` are held", run.Output);
        Assert.Contains("\n410 stacks suspended in 7 groups; the largest, 398x, waits for Semaphore", run.Output);
        Assert.Contains("Demo.PaymentGateway.ChargeAsync(int, decimal)  PaymentGateway.cs:11", run.Output);
        Assert.DoesNotContain('\u001b', run.Output);
        Assert.Matches(@"\n0 problems\n$", run.Output);
    }

    [Theory]
    [InlineData("analyze", "PID", "--format", "json", "--limit", "1")]
    [InlineData("analyze", "--limit", "1", "--format", "json", "PID")]
    [InlineData("--format", "json", "PID", "--limit", "1")]
    [InlineData("--limit=1", "analyze", "--format=json", "--quiet", "PID")]
    [InlineData("--format", "json", "--limit", "1", "analyze", "PID")]
    public void Options_may_be_in_any_order(params string[] arguments)
    {
        ToolRun run = ToolRun.Of([.. arguments.Select(argument => argument == "PID" ? sample.PidText : argument)]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        JsonElement root = JsonDocument.Parse(run.Output).RootElement;
        Assert.Equal(410, root.GetProperty("totals").GetProperty("stacks").GetInt32());
        Assert.Equal(1, root.GetProperty("stacks").GetArrayLength());
    }

    [Fact]
    public void Json_is_valid_against_the_schema()
    {
        JsonNode schema = JsonNode.Parse(File.ReadAllText(Repository.PathOf("docs", "async2.stacks.schema.json")))!;
        JsonNode? answer = JsonNode.Parse(ToolRun.Of(sample.PidText, "--format", "json").Output);
        Assert.Empty(new SchemaCheck(schema).Errors(answer));
        Assert.Equal(sample.Pid, answer!["target"]!["pid"]!.GetValue<int>());
    }

    [Fact]
    public void Without_coalescing_every_stack_is_separate()
    {
        JsonElement root = JsonDocument.Parse(ToolRun.Of(sample.PidText, "--format", "json", "--all").Output).RootElement;
        Assert.Equal(410, root.GetProperty("stacks").GetArrayLength());
        Assert.All(root.GetProperty("stacks").EnumerateArray(), stack => Assert.Equal(1, stack.GetProperty("count").GetInt32()));
    }

    [Fact]
    public void An_unfrozen_process_is_read_and_reported_as_such()
    {
        ToolRun run = ToolRun.Of(sample.PidText, "--freeze", "none");
        Assert.Contains("not frozen", run.Output);
        Assert.Contains("\n410 stacks", run.Output);
    }

    [Fact]
    public void An_answer_can_go_to_a_file()
    {
        using var folder = new TemporaryFolder();
        string file = folder.PathOf("answer.txt");
        ToolRun run = ToolRun.Of(sample.PidText, "-o", file);
        Assert.Equal((0, "", ""), (run.ExitCode, run.Output, run.Error));
        Assert.Contains("\n410 stacks", File.ReadAllText(file));
        Assert.Equal([file], Directory.GetFiles(folder.Path));
    }

    [Fact]
    public void A_reader_that_closes_early_is_not_an_error()
    {
        ToolRun run = ToolRun.Shell($"{{ $TOOL {sample.PidText} --all; echo exit $? >&2; }} | head -n 1");
        Assert.StartsWith("warning: exhausted-pool", run.Output);
        Assert.Equal("exit 0\n", run.Error);
    }

    [Fact]
    public void Ascii_is_ascii()
    {
        string output = ToolRun.Of(sample.PidText, "--ascii").Output;
        Assert.Contains("\n410 stacks", output);
        Assert.DoesNotContain(output, c => c > 0x7e);
    }
}
