using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Processes that somebody else holds already: a debugger, or a stop signal.</summary>
[Trait("Category", "Integration")]
public sealed class TracedProcessTests
{
    [Theory]
    [InlineData("brief")]
    [InlineData("full")]
    [InlineData("none")]
    public void Under_a_debugger_it_is_stopped_with_its_threads(string freeze)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/gdb"), "gdb is not installed");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["blocked", "3"]);
        JsonElement free = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json"), 0);
        using Process gdb = Attach(process.Pid);
        try
        {
            ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid) is { Length: > 0 } states && states.All(state => state == 't'), "gdb holds all threads");
            JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json", "--freeze", freeze), 0);
            Assert.Equal(free.GetProperty("stacks").GetRawText(), answer.GetProperty("stacks").GetRawText());
            Assert.Contains("blocked", answer.GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("state").GetString()));
            Assert.Empty(answer.GetProperty("problems").EnumerateArray());
            Assert.False(answer.GetProperty("target").TryGetProperty("freezeMs", out _));
            Assert.True(answer.GetProperty("target").GetProperty("held").GetBoolean());
            Assert.All(ProcessFacts.ThreadStates(process.Pid), state => Assert.Equal('t', state));
        }
        finally
        {
            gdb.StandardInput.Close();
            gdb.WaitForExit();
        }
    }

    [Fact]
    public void Threads_that_ran_when_a_debugger_stopped_them_are_counted()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/gdb"), "gdb is not installed");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["running"]);
        using Process gdb = Attach(process.Pid);
        try
        {
            ProcessFacts.WaitUntil(() => ProcessFacts.ThreadStates(process.Pid) is { Length: > 0 } states && states.All(state => state == 't'), "gdb holds all threads");
            JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json"), 0);
            Assert.Equal(["A2D3008"], Outcome.ProblemCodes(answer));
            Match found = Regex.Match(answer.GetProperty("problems")[0].GetProperty("text").GetString()!, @", (\d+) threads were running");
            Assert.True(found.Success, answer.GetProperty("problems")[0].GetRawText());
            // Three spin for good; the runtime's own thread that compiles may be at it, too.
            Assert.InRange(int.Parse(found.Groups[1].Value), 3, 4);
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

    // It releases it when its input ends.
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
