using System.Diagnostics;
using System.Runtime.Versioning;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Stopping;
using Async2.Analysis.Targets.Windows;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Windows;

/// <summary>A process that is held is stopped, and goes on whatever becomes of the tool: it ends, it takes too long, it is killed at any moment, or only its worker is.</summary>
[Trait("Category", "Windows")]
[Trait("System", "Windows")]
[SupportedOSPlatform("windows")]
public sealed class HoldTests
{
    private static readonly TimeSpan Answer = TimeSpan.FromMinutes(2);

    /// <summary>When the tool is killed.</summary>
    public enum Moment
    {
        /// <summary>Before it holds the process: while it prepares.</summary>
        Before,

        /// <summary>As soon as it holds it.</summary>
        Held,

        /// <summary>A little later, while it copies or reads.</summary>
        Reading,

        /// <summary>When it has let go, or a second later.</summary>
        After,
    }

    [Fact]
    public async Task A_held_process_stands_still_and_goes_on_after()
    {
        using ScenarioProcess process = ScenarioProcess.StartYoung(ScenarioBuild.Situations, ["healthy"]);
        using (ProcessFreeze freeze = ProcessFreeze.TryStop(process.Pid, TimeSpan.FromMinutes(1))!)
        {
            Assert.True(IsHeld(process.Pid));
            Assert.NotEmpty(freeze.Registers(process.Pid));
            Task<double> answer = Task.Run(() => process.Ask("steps"), TestContext.Current.CancellationToken);
            await Task.Delay(300, TestContext.Current.CancellationToken);
            Assert.False(answer.IsCompleted);
            // Only one can hold it.
            Assert.Null(ProcessFreeze.TryStop(process.Pid, TimeSpan.FromMinutes(1)));
            freeze.Dispose();
            await answer.WaitAsync(Answer, TestContext.Current.CancellationToken);
        }
        Assert.False(IsHeld(process.Pid));
    }

    [Fact]
    public void It_goes_on_when_its_time_is_up()
    {
        using ScenarioProcess process = ScenarioProcess.StartYoung(ScenarioBuild.Situations, ["healthy"]);
        using ProcessFreeze freeze = ProcessFreeze.TryStop(process.Pid, TimeSpan.FromMilliseconds(100))!;
        ProcessFacts.WaitUntil(() => freeze.IsOver, "its time is up");
        GoesOn(process);
    }

    [Fact]
    public void A_debugger_that_has_it_is_named()
    {
        using ScenarioProcess process = ScenarioProcess.StartYoung(ScenarioBuild.Situations, ["healthy"]);
        using WindowsProcess opened = WindowsProcess.TryOpen(process.Pid, 0x1f_ffff, out _)!;
        using DebugHold debugger = DebugHold.TryTake(opened)!;
        ToolRun run = ToolRun.Of(process.Pid.ToString());
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("could not be stopped (a debugger holds it): it was read while it ran", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("brief", Moment.Before)]
    [InlineData("brief", Moment.Held)]
    [InlineData("brief", Moment.After)]
    [InlineData("full", Moment.Held)]
    [InlineData("full", Moment.Reading)]
    [InlineData("none", Moment.Reading)]
    public void It_goes_on_when_the_tool_is_killed(string freeze, Moment moment) => KillAt(moment, isWorker: false, "--freeze", freeze);

    [Theory]
    [InlineData(Moment.Held)]
    [InlineData(Moment.Reading)]
    public void It_goes_on_when_only_the_worker_is_killed(Moment moment) => KillAt(moment, isWorker: true, "--freeze", "full");

    [Fact]
    public void It_goes_on_when_the_tool_is_killed_as_it_writes_a_dump()
    {
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("half.dmp");
        KillAt(Moment.Held, isWorker: false, "dump", "collect", "-o", path);
        // On a busy machine the tool may be done before it is killed.
        if (File.Exists(path))
            Assert.Null(DumpOpener.Damage(path));
    }

    private static void KillAt(Moment moment, bool isWorker, params string[] words)
    {
        using ScenarioProcess process = ScenarioProcess.StartYoung(ScenarioBuild.Situations, ["healthy"]);
        using Process tool = ToolRun.Start([.. words, process.Pid.ToString()]);
        Task<string> output = tool.StandardOutput.ReadToEndAsync(), error = tool.StandardError.ReadToEndAsync();
        if (moment != Moment.Before && words[^1] != "none")
            WaitFor(tool, () => IsHeld(process.Pid));
        if (moment == Moment.Reading)
            Thread.Sleep(50);
        else if (moment == Moment.After)
            WaitFor(tool, () => !IsHeld(process.Pid));
        int victim = isWorker ? WorkerOf(tool.Id) : tool.Id;
        if (victim != 0)
            Kill(victim);
        if (isWorker)
            tool.WaitForExit(TimeSpan.FromSeconds(60));
        GoesOn(process);
        ProcessFacts.WaitUntil(() => !IsHeld(process.Pid), "nobody holds it");
        ProcessFacts.WaitUntil(() => tool.HasExited && WorkerOf(tool.Id) == 0, "the tool and its worker have ended");
        _ = (output.Result, error.Result);
    }

    // Faster than the tool is: no pause.
    private static void WaitFor(Process tool, Func<bool> condition)
    {
        long start = Stopwatch.GetTimestamp();
        while (!condition() && !tool.HasExited)
            Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromMinutes(2), "the tool never held it");
    }

    private static void GoesOn(ScenarioProcess process)
    {
        Task<double> answer = Task.Run(() => process.Ask("steps"));
        Assert.True(answer.Wait(Answer), "it does not go on");
    }

    private static bool IsHeld(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, WindowsCalls.QueryInformation, out _);
        return process?.IsDebugged == true;
    }

    private static int WorkerOf(int tool)
    {
        foreach (int pid in WindowsProcess.Ids())
        {
            using WindowsProcess? process = WindowsProcess.TryOpen(pid, WindowsCalls.QueryInformation, out _);
            if (process is { HasExitCode: false } && process.Parent == tool)
                return pid;
        }
        return 0;
    }

    private static void Kill(int pid)
    {
        try
        {
            using var process = Process.GetProcessById(pid);
            process.Kill();
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            // It was faster.
        }
    }
}
