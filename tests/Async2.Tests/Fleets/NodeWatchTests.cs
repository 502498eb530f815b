using System.Diagnostics;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Fleets;
using Async2.Dump.Fleets.Wire;
using Async2.Dump.Watching;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Async2.Tests.Watching;

namespace Async2.Tests.Fleets;

/// <summary>Several processes are watched at once: what begins and ends is said, and each is saved for itself.</summary>
[Trait("Category", "Integration")]
public sealed class NodeWatchTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Two_are_watched_and_the_end_of_both_ends_it()
    {
        using ScenarioProcess first = Start("abba"), second = Start("cycle");
        using Process watch = ToolRun.Start("watch", $"{first.Pid}", $"{second.Pid}", "999999999", "--interval", "200ms", "--on-finding", "deadlock", "--save", _folder.Path);
        List<string> lines = [];
        while (!(Saved(first) && Saved(second)))
            lines.Add(watch.StandardOutput.ReadLine()!);
        Kill(first);
        Kill(second);
        lines.AddRange(watch.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        watch.WaitForExit();
        Assert.Equal(0, watch.ExitCode);
        foreach (ScenarioProcess process in (ScenarioProcess[])[first, second])
        {
            Assert.Single(lines, line => line.Contains($"  {process.Pid} Situations: is watched", StringComparison.Ordinal));
            Assert.Single(lines, line => line.Contains($"  {process.Pid} Situations: error: deadlock  ", StringComparison.Ordinal));
            Assert.Single(lines, line => line.EndsWith($"  {process.Pid} Situations: has ended", StringComparison.Ordinal));
        }
        Assert.Single(lines, line => line.EndsWith("no .NET process that may be read is '999999999'", StringComparison.Ordinal));
        Assert.Equal(2, Directory.GetFiles(_folder.Path).Length);

        bool Saved(ScenarioProcess process) => lines.Exists(line => line.Contains($"  {process.Pid} Situations: saved ", StringComparison.Ordinal));
    }

    [Fact]
    public void A_collector_gets_it_and_one_that_refuses_is_named()
    {
        using ScenarioProcess process = Start("abba");
        using var receiver = new Receiver();
        Assert.Equal((0, ""), Watch());
        Assert.StartsWith("deadlock: Jams.", Assert.Single(receiver.Events), StringComparison.Ordinal);
        Assert.Equal(["/v1/logs", "/v1/metrics"], receiver.Requests);
        receiver.Status = 401;
        (int exit, string news) = Watch();
        Assert.Equal(4, exit);
        Assert.Contains($"{receiver.Address} refused something: it answered 401", news, StringComparison.Ordinal);

        (int ExitCode, string News) Watch()
        {
            ToolRun run = ToolRun.Of("watch", $"{process.Pid}", "--otlp", receiver.Address, "--count", "1");
            return (run.ExitCode, string.Join('\n', run.Output.Split('\n').Where(line => line.Contains(receiver.Address, StringComparison.Ordinal))));
        }
    }

    [Fact]
    public void A_collector_gets_the_end_of_a_process()
    {
        using ScenarioProcess process = Start("abba");
        using var receiver = new Receiver();
        using Process watch = ToolRun.Start("watch", $"{process.Pid}", "--otlp", receiver.Address, "--interval", "200ms");
        ProcessFacts.WaitUntil(() => receiver.Numbers("async2.findings").Length > 0, "a look was sent");
        Kill(process);
        watch.WaitForExit();
        Assert.Equal(0, watch.ExitCode);
        Assert.Contains($"process {process.Pid} has ended, after ", watch.StandardOutput.ReadToEnd(), StringComparison.Ordinal);
        Assert.Contains(receiver.Events, text => text.StartsWith($"process {process.Pid} has ended, after ", StringComparison.Ordinal));
        Assert.Contains(receiver.Events, text => text.StartsWith("deadlock has ended after ", StringComparison.Ordinal));
        Assert.All((NumberDataPoint[])[.. receiver.Numbers("async2.stacks"), .. receiver.Numbers("async2.findings")], point => Assert.Equal(0, point.AsInt));
        Assert.Equal(1u, Assert.Single(receiver.Numbers("async2.look.complete")).Flags);
    }

    // The kernel gives the id of a process that has ended to another one.
    [Fact]
    public void Who_has_the_id_of_another_one_is_not_taken_for_it()
    {
        RunningProcess own = ProcessList.Find(Environment.ProcessId)!;
        Assert.NotNull(own.Started);
        var looks = new OneLook();
        Assert.NotEmpty(Watched(own).Look(looks, isVerbose: true, TestContext.Current.CancellationToken));
        WatchedProcess before = Watched(own with { Started = own.Started - 1 });
        Assert.Empty(before.Look(looks, isVerbose: true, TestContext.Current.CancellationToken));
        Assert.True(before.IsPartial);

        static WatchedProcess Watched(RunningProcess process) => new(process, WatchDrawing.Series(), new WatchSaver(new WatchPlan(), TimeProvider.System), null);
    }

    [Fact]
    public void Nobody_who_reads_ends_it()
    {
        using ScenarioProcess process = Start("abba");
        Assert.Contains("deadlock", ToolRun.Shell($"$TOOL watch {process.Pid} --interval 200ms | head -n 1").Output, StringComparison.Ordinal);
        Assert.Contains("is watched", ToolRun.Shell($"$TOOL watch {process.Pid} 'no*' --interval 200ms | head -n 1").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_to_watch_is_exit_3_and_wrong_words_2()
    {
        Assert.Equal(3, ToolRun.Of("watch", "no-such-name-*", "--count", "1").ExitCode);
        Assert.Equal(2, ToolRun.Of("watch", "1", "2", "--max-disk", "much").ExitCode);
        Assert.Equal(2, ToolRun.Of("watch", "1", "--otlp", "localhost").ExitCode);
    }

    private static ScenarioProcess Start(string situation) => ScenarioProcess.Start(ScenarioBuild.Situations, [situation]);

    private sealed class OneLook : ILookSource
    {
        public TimeSpan Spent => TimeSpan.Zero;

        public LookResult Look() => new() { Snapshot = WatchDrawing.Bytes(WatchDrawing.Model(0, WatchDrawing.Pay)) };

        public void Stop()
        {
        }

        public void Dispose()
        {
        }
    }

    private static void Kill(ScenarioProcess process)
    {
        using Process program = Process.GetProcessById(process.Pid);
        program.Kill();
    }
}
