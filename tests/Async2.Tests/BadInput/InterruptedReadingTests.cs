using System.Diagnostics;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>One of the two dies in the middle: the process that is read, or the tool that reads it.</summary>
[Trait("Category", "Integration")]
public sealed class InterruptedReadingTests(ITestOutputHelper output)
{
    private const int Longest = 1500;

    // Takes about a second to read, so that most of the moments chosen lie within.
    private static readonly string[] ManyChains = ["--chains", "20000", "--depth", "100"];

    [Theory]
    [InlineData("brief", 6)]
    [InlineData("none", 6)]
    public void A_process_that_ends_while_it_is_read(string freeze, int rounds)
    {
        var random = new Random(rounds + freeze.Length);
        for (int round = 0; round < rounds; round++)
        {
            using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
            Process tool = ToolRun.Start(process.Pid.ToString(), "--freeze", freeze);
            int delay = random.Next(100, Longest);
            Thread.Sleep(delay);
            ProcessFacts.Signal(process.Pid, "KILL");
            ToolRun run = ToolRun.Finish(tool);
            output.WriteLine($"{delay} ms: {run.ExitCode} {run.Error}{run.Output.Split('\n')[0]}");
            Outcome.IsSane(run);
            if (run.ExitCode == 3 && run.Output.Length == 0)
                Assert.Matches($"(Process {process.Pid} ended while it was read|There is no running process {process.Pid})", run.Error);
        }
    }

    [Theory]
    [InlineData("brief", false)]
    [InlineData("brief", true)]
    [InlineData("full", false)]
    public void A_process_runs_on_when_the_tool_is_killed(string freeze, bool isStopped)
    {
        var random = new Random(9);
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        if (isStopped)
            ProcessFacts.Signal(process.Pid, "STOP");
        int held = 0;
        for (int round = 0; round < 20; round++)
            held += KillWhileHeld(process.Pid, freeze, random.Next(0, 30), isStopped) ? 1 : 0;
        output.WriteLine($"killed while the process was held: {held} of 20");
        Assert.True(held > 0, "the tool was never killed while it held the process");
        if (isStopped)
        {
            ProcessFacts.Signal(process.Pid, "CONT");
            ProcessFacts.WaitUntil(() => RunsFreely(process.Pid), "the process can be continued");
        }
        ToolRun after = ToolRun.Of(process.Pid.ToString());
        Assert.Equal((0, ""), (after.ExitCode, after.Error));
    }

    // Both processes of the tool at once: neither can tidy up for the other.
    private static bool KillWhileHeld(int pid, string freeze, int delay, bool isStopped)
    {
        using Process tool = ToolRun.Start(pid.ToString(), "--freeze", freeze);
        ProcessFacts.WaitUntil(() => ProcessFacts.Status(pid, "TracerPid") is not ("0" or null) || tool.HasExited, "the process is held");
        Thread.Sleep(delay);
        int[] readers = ProcessFacts.Children(tool.Id);
        bool held = ProcessFacts.ThreadStates(pid).Contains('t');
        Process.Start("kill", ["-KILL", tool.Id.ToString(), .. readers.Select(reader => reader.ToString())]).WaitForExit();
        tool.WaitForExit();
        ProcessFacts.WaitUntil(() => isStopped ? ProcessFacts.ThreadStates(pid).All(state => state == 'T') : RunsFreely(pid), "the process is as it was");
        ProcessFacts.WaitUntil(() => !readers.Any(reader => ProcessFacts.Maps(reader, "libcoreclr.so")), "the reader is gone");
        return held;
    }

    [Theory]
    [InlineData("USR1", "the runtime's data access library crashed on it (signal 10); it may have changed or ended meanwhile", "write a dump and read that: dotnet-async2 dump collect ")]
    [InlineData("KILL", "the worker process was killed, probably because this machine has too little memory", "dotnet-async2 dump collect ")]
    public void A_worker_that_dies_is_reported_in_two_lines(string signal, string message, string fix)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        Process tool = ToolRun.Start(process.Pid.ToString());
        int reader = 0;
        ProcessFacts.WaitUntil(() => (reader = ProcessFacts.Children(tool.Id).FirstOrDefault()) != 0 && ProcessFacts.Maps(reader, "libmscordaccore.so"), "a reader reads");
        // Not SIGSEGV: .NET shrugs it off where it finds no cause for it.
        ProcessFacts.Signal(reader, signal);
        Outcome.IsRefusal(ToolRun.Finish(tool), 3, $"Process {process.Pid} could not be read: {message}", fix);
        ProcessFacts.WaitUntil(() => RunsFreely(process.Pid), "the process runs on");
    }

    [Fact]
    public void Asked_to_stop_the_tool_prints_what_it_has()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        foreach (string signal in (string[])["INT", "TERM"])
        {
            Process tool = ToolRun.Start(process.Pid.ToString());
            ProcessFacts.WaitUntil(() => ProcessFacts.Children(tool.Id).Any(reader => ProcessFacts.Maps(reader, "libmscordaccore.so")), "a reader reads");
            ProcessFacts.Signal(tool.Id, signal);
            ToolRun run = ToolRun.Finish(tool);
            output.WriteLine($"{signal}: {run.ExitCode} {run.Error}{run.Output.Split('\n')[0]}");
            Assert.Equal(130, run.ExitCode);
            Assert.True(run.Error.Length == 0 ? run.Output.Contains("A2D3003", StringComparison.Ordinal) : run.Error.StartsWith("error: interrupted", StringComparison.Ordinal), run.Error);
            ProcessFacts.WaitUntil(() => RunsFreely(process.Pid), "the process runs on");
        }
    }

    private static bool RunsFreely(int pid) => ProcessFacts.Status(pid, "TracerPid") == "0" && !ProcessFacts.ThreadStates(pid).Any(state => state is 't' or 'T');
}
