using System.Diagnostics;
using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Lldb;

/// <summary>dumpasync2 in bare lldb, on a process that lldb holds.</summary>
[Trait("Category", "Integration")]
public sealed class LldbProcessTests
{
    /// <summary>Also threads in the middle of managed code: where they stand lldb alone knows.</summary>
    [Theory]
    [InlineData("running")]
    [InlineData("blocked")]
    [InlineData("mixed")]
    public void Stacks_are_those_of_the_tool_and_the_process_lives_on(string situation)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, [situation, "3"]);
        JsonElement free = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json", "--all"), 0);
        string[] answers = LldbRun.Of(Attach(process), "dumpasync2 --json", "dumpasync2 --json --freeze brief", "dumpasync2 --coalesce", "detach", "dumpasync2");
        foreach (string answer in answers[1..3])
        {
            using var held = JsonDocument.Parse(answer);
            Assert.NotEqual(0, held.RootElement.GetProperty("stacks").GetArrayLength());
            Assert.Equal(free.GetProperty("stacks").GetRawText(), held.RootElement.GetProperty("stacks").GetRawText());
            Assert.Empty(held.RootElement.GetProperty("problems").EnumerateArray());
            Assert.True(held.RootElement.GetProperty("target").GetProperty("held").GetBoolean());
        }
        Assert.Contains("held by a debugger\n", answers[3], StringComparison.Ordinal);
        Assert.EndsWith("\n0 problems\n", answers[3], StringComparison.Ordinal);
        Assert.Contains("error: the process has ended or lldb has detached from it: there is nothing to read\n", answers[5], StringComparison.Ordinal);
        ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid).All(state => state is 'S' or 'R'), "all threads run on");
        Assert.Equal("0", ProcessFacts.Status(process.Pid, "TracerPid"));
        Assert.True(process.Ask("steps") >= 0);
    }

    [Fact]
    public void A_running_process_has_to_be_stopped_first()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        string[] answers = LldbRun.Of(
            LldbRun.SetAsync(true), Attach(process), LldbRun.Await("Stopped"), "process continue", LldbRun.Await("Running"), "dumpasync2", "process interrupt", LldbRun.Await("Stopped"), "dumpasync2 --limit 1", "dumpasync2 --core x");
        Assert.Contains("True\n", answers[4], StringComparison.Ordinal);
        Assert.Contains("error: the process is running: stop it first with 'process interrupt'\n", answers[5], StringComparison.Ordinal);
        Assert.Contains("True\n", answers[7], StringComparison.Ordinal);
        Assert.Contains("4 stacks suspended", answers[8], StringComparison.Ordinal);
        Assert.Contains("error: --core is for cores: lldb has a process open\n", answers[9], StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_target_or_a_process_there_is_an_error()
    {
        string[] answers = LldbRun.Of("dumpasync2", "target create /bin/sleep", "dumpasync2");
        Assert.Equal("error: there is no target: open a core with 'target create --core FILE', or attach with 'process attach --pid PID'\n", answers[0]);
        Assert.Equal("error: there is no process: open a core with 'target create --core FILE', or attach with 'process attach --pid PID'\n", answers[2]);
    }

    [Fact]
    public void A_program_without_dotnet_is_distinguished_from_one_with_it()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/gcore"), "gcore is not installed: sudo apt-get install gdb");
        using var sleep = Process.Start("sleep", "300");
        try
        {
            using var folder = new TemporaryFolder();
            Assert.Equal(0, ToolRun.Shell($"gcore -o '{folder.PathOf("core")}' {sleep.Id} 2>&1").ExitCode);
            string core = folder.PathOf($"core.{sleep.Id}");
            string[] answers = LldbRun.Of($"process attach --pid {sleep.Id}", "dumpasync2", "detach", $"target create --core \"{core}\"", "dumpasync2");
            Assert.StartsWith($"error: Process {sleep.Id} has no .NET runtime loaded: it is a native program", answers[1], StringComparison.Ordinal);
            Assert.Contains($"error: '{core}' ", answers[4], StringComparison.Ordinal);
            Assert.Contains(".NET runtime", answers[4], StringComparison.Ordinal);
        }
        finally
        {
            sleep.Kill();
        }
    }

    private static string Attach(ScenarioProcess process) => $"process attach --pid {process.Pid}";
}
