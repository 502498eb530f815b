using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>The gate, on programs that are deadlocked and on others.</summary>
[Trait("Category", "Integration")]
public sealed class CheckTests : IDisposable
{
    private const string Pair = "Cycles.ShipAsync (Cycles.cs:20) and Cycles.PayAsync (Cycles.cs:27) await each other";

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void A_deadlock_fails_and_comes_first()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        ToolRun run = Check(process);
        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        Assert.StartsWith($"failed: deadlock (certain): {Pair}\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(1, Check(process, "--fail-on", "deadlock:certain").ExitCode);
        Assert.Equal(0, Check(process, "--fail-on", "context-deadlock").ExitCode);
    }

    [Fact]
    public void What_a_baseline_knows_does_not_fail()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        string json = _folder.PathOf("known.json"), snapshot = _folder.PathOf("known.async2snap");
        Assert.Equal(1, Check(process, "--format", "json", "-o", json).ExitCode);
        Assert.Equal(0, ToolRun.Of("snapshot", $"{process.Pid}", "-o", snapshot).ExitCode);
        // Another process of the same program: no address is the same.
        using ScenarioProcess other = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        foreach (string baseline in (string[])[json, snapshot])
        {
            ToolRun run = Check(other, "--baseline", baseline);
            Assert.Equal((0, ""), (run.ExitCode, run.Error));
            Assert.Contains("1 finding known from the baseline", run.Output, StringComparison.Ordinal);
        }
        using ScenarioProcess different = ScenarioProcess.Start(ScenarioBuild.Situations, ["combinator-cycle"]);
        Assert.Equal(1, Check(different, "--baseline", json).ExitCode);
        Assert.Equal(1, ToolRun.Of("check", snapshot).ExitCode);
    }

    [Fact]
    public void A_group_that_is_too_large_fails()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["named"]);
        Assert.Equal(0, Check(process, "--max-group", "3", "--fail-on", "deadlock").ExitCode);
        ToolRun run = Check(process, "--max-group", "2", "--fail-on", "deadlock");
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith("failed: 3 stacks alike, more than 2: SemaphoreSlim", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Who_waits_for_the_same_lock_after_a_while_is_stuck()
    {
        using ScenarioProcess stuck = ScenarioProcess.Start(ScenarioBuild.Situations, ["locked"]), waiting = ScenarioProcess.Start(ScenarioBuild.Situations, ["linked"]);
        ToolRun run = Check(stuck, "--stuck-over", "300ms");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("failed: stuck: Situations.Locked.WantAsync() still waits for Monitor.Enter, Locked.Till", run.Output, StringComparison.Ordinal);
        // Timers, sockets and promises may take their time; its semaphore does not.
        Assert.Equal(["failed: stuck: Situations.Linked.TillAsync()"], Check(waiting, "--stuck-over", "300ms").Output.Split('\n').Where(line => line.StartsWith("failed: ", StringComparison.Ordinal)).Select(line => line[..line.IndexOf(" still", StringComparison.Ordinal)]));
    }

    [Fact]
    public void It_proves_that_it_can_fail()
    {
        ToolRun run = ToolRun.Of("check", "--self-test");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("self-test passed", run.Error, StringComparison.Ordinal);
        Assert.Contains("failed: deadlock (certain): Jam.LeftAsync (Jam.cs:22) and Jam.RightAsync (Jam.cs:29) await each other", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Its_proof_goes_where_the_answer_was_wanted()
    {
        string file = _folder.PathOf("proof.sarif");
        ToolRun run = ToolRun.Of("check", "--self-test", "--format", "sarif", "-o", file);
        Assert.Equal((0, ""), (run.ExitCode, run.Output));
        Assert.Contains("\"deadlock\"", File.ReadAllText(file), StringComparison.Ordinal);
        ToolRun nowhere = ToolRun.Of("check", "--self-test", "-o", _folder.PathOf("none/proof.txt"));
        Assert.Equal(2, nowhere.ExitCode);
        Assert.DoesNotContain("self-test passed", nowhere.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Sarif_has_the_cycle_as_a_flow_and_a_fingerprint_without_lines()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["crossed"]);
        string file = _folder.PathOf("check.sarif");
        Assert.Equal(1, Check(process, "--format", "sarif", "-o", file, "--source-root", Repository.Root).ExitCode);
        using JsonDocument sarif = JsonDocument.Parse(File.ReadAllText(file));
        JsonElement run = Assert.Single(sarif.RootElement.GetProperty("runs").EnumerateArray());
        JsonElement result = run.GetProperty("results").EnumerateArray().First();
        Assert.Equal(("deadlock", "error"), (result.GetProperty("ruleId").GetString(), result.GetProperty("level").GetString()));
        JsonElement[] steps = [.. result.GetProperty("codeFlows")[0].GetProperty("threadFlows")[0].GetProperty("locations").EnumerateArray().Select(step => step.GetProperty("location").GetProperty("physicalLocation"))];
        Assert.Equal([114, 99, 107], steps.Select(step => step.GetProperty("region").GetProperty("startLine").GetInt32()));
        Assert.All(steps, step => Assert.Equal("dumps/Situations/Jams.cs", step.GetProperty("artifactLocation").GetProperty("uri").GetString()));
        Assert.Matches("^[0-9a-f]{16}$", result.GetProperty("partialFingerprints").GetProperty("async2Finding/v1").GetString());
    }

    [Theory]
    [InlineData("no TARGET given")]
    [InlineData("there is no rule 'nonsense'", "1", "--fail-on", "nonsense")]
    [InlineData("there is no confidence 'sure'", "1", "--fail-on", "deadlock:sure")]
    [InlineData("'soon' is not a time", "1", "--stuck-over", "soon")]
    [InlineData("there is no file /nowhere.json", "1", "--baseline", "/nowhere.json")]
    public void Wrong_usage_has_a_fix(string message, params string[] arguments)
    {
        ToolRun run = ToolRun.Of(["check", .. arguments]);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.Contains("fix: ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_does_not_move()
    {
        string file = _folder.PathOf("x.async2snap");
        using (ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]))
            Assert.Equal(0, ToolRun.Of("snapshot", $"{process.Pid}", "-o", file).ExitCode);
        ToolRun run = ToolRun.Of("check", file, "--stuck-over", "1s");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("a file does not move", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Findings_alone_by_id_and_explained()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        ToolRun alone = ToolRun.Of($"{process.Pid}", "--findings-only");
        Assert.StartsWith($"error: deadlock  {Pair}  (certain", alone.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("awaited by", alone.Output, StringComparison.Ordinal);
        Assert.Contains("1 of 1 stack matches --finding f1", ToolRun.Of($"{process.Pid}", "--finding", "f1").Output, StringComparison.Ordinal);
        Assert.Contains("none of 1 stack matches --finding lost", ToolRun.Of($"{process.Pid}", "--finding", "lost").Output, StringComparison.Ordinal);
        ToolRun page = ToolRun.Of("--explain", "deadlock");
        Assert.Equal((0, File.ReadAllText(Repository.PathOf("docs", "findings", "deadlock.md"))), (page.ExitCode, page.Output));
        Assert.Equal(2, ToolRun.Of("--explain", "nonsense").ExitCode);
    }

    public void Dispose() => _folder.Dispose();

    private static ToolRun Check(ScenarioProcess process, params string[] arguments) => ToolRun.Of(["check", $"{process.Pid}", .. arguments]);
}
