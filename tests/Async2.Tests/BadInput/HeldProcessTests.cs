using System.Diagnostics;
using System.Text.Json;
using Async2.Tests.Support;

namespace Async2.Tests.BadInput;

/// <summary>Processes that somebody else holds already: a debugger, or a stop signal.</summary>
[Trait("Category", "Integration")]
public sealed class HeldProcessTests
{
    [Fact]
    public void Under_a_debugger_it_is_read_unfrozen_and_said_to_be_so()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/gdb"), "gdb is not installed");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        using Process gdb = Attach(process.Pid);
        try
        {
            ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid) is { Length: > 0 } states && states.All(state => state == 't'), "gdb holds all threads");
            JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json"), 0);
            Assert.Equal(4, answer.GetProperty("totals").GetProperty("stacks").GetInt32());
            Assert.Equal(["A2D3001"], Outcome.ProblemCodes(answer));
            Assert.Contains("could not be stopped (a debugger holds it", answer.GetProperty("problems")[0].GetProperty("text").GetString()!, StringComparison.Ordinal);
            Assert.False(answer.GetProperty("target").TryGetProperty("freezeMs", out _));
            Assert.All(ProcessFacts.ThreadStates(process.Pid), state => Assert.Equal('t', state));
        }
        finally
        {
            gdb.StandardInput.Close();
            gdb.WaitForExit();
        }
    }

    [Fact]
    public void Stopped_by_a_signal_it_is_read_and_stays_stopped()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        ProcessFacts.Signal(process.Pid, "STOP");
        ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid).All(state => state == 'T'), "all threads stop");
        ToolRun run = ToolRun.Of(process.Pid.ToString());
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("4 stacks suspended", run.Output, StringComparison.Ordinal);
        ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid).All(state => state == 'T'), "all threads are stopped again");
        Thread.Sleep(200);
        Assert.All(ProcessFacts.ThreadStates(process.Pid), state => Assert.Equal('T', state));

        ProcessFacts.Signal(process.Pid, "CONT");
        ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid).All(state => state is 'S' or 'R'), "all threads run on");
    }

    // It lets go when its input ends.
    private static Process Attach(int pid)
    {
        Process gdb = Process.Start(new ProcessStartInfo("gdb", ["-nx", "-q", "-p", pid.ToString()])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        gdb.OutputDataReceived += (_, _) => { };
        gdb.ErrorDataReceived += (_, _) => { };
        gdb.BeginOutputReadLine();
        gdb.BeginErrorReadLine();
        return gdb;
    }
}
