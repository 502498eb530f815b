using Async2.Dump.Workers;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>A worker that has ended has no pid any more: its number may be another process.</summary>
public sealed class WorkerProcessTests
{
    private const int NoSignal = 0;

    [Fact]
    public void A_process_that_has_ended_keeps_its_pid_until_it_is_collected()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "a pid of Linux");
        int pid = Start("exit 7");
        NativeProcess.WaitForEnd(pid);
        Assert.Equal("Z", ProcessFacts.Status(pid, "State")?.Split(' ')[0]);
        Assert.Equal(7, NativeProcess.Wait(pid));
        Assert.NotEqual(0, NativeProcess.Signal(pid, NoSignal));
    }

    [Theory]
    [InlineData("exit 3", 3, null)]
    [InlineData("kill -SEGV $$", 139, 11)]
    public void The_exit_of_a_worker_is_classified(string script, int code, int? signal)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "a pid of Linux");
        using var worker = new NativeWorker(Start(script));
        WorkerExit exit = worker.Wait();
        Assert.Equal((code, signal), (exit.Code, exit.Signal));
    }

    [Fact]
    public void A_worker_that_takes_too_long_is_killed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "a pid of Linux");
        using var worker = new NativeWorker(Start("exec sleep 600"));
        worker.End();
        Assert.True(worker.Wait().IsKill);
        Assert.True(worker.WasEnded);
    }

    [Fact]
    public void A_worker_that_has_ended_is_no_longer_signalled()
    {
        using var worker = new Recorder();
        worker.AskToStop();
        Assert.Equal(0, worker.Wait().Code);
        worker.AskToStop();
        worker.End();
        Assert.False(worker.WasEnded);
        Assert.Equal(["ask", "wait", "collect"], worker.Calls);
    }

    private static int Start(string script) => NativeProcess.Start("/bin/sh", ["-c", script], []);

    private sealed class Recorder : WorkerProcess
    {
        public List<string> Calls { get; } = [];

        public override void Dispose()
        {
        }

        protected override void WaitForEnd() => Calls.Add("wait");

        protected override int Collect()
        {
            Calls.Add("collect");
            return 0;
        }

        protected override void Ask() => Calls.Add("ask");

        protected override void Kill() => Calls.Add("kill");
    }
}
