using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Processes;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Tool;

public sealed class ProcessListTests
{
    [Theory]
    [InlineData("Shop", "dotnet", "Shop.dll")]
    [InlineData("Shop", "/usr/bin/dotnet", "exec", "--depsfile", "x.json", "/app/Shop.dll", "other.dll")]
    [InlineData(null, "dotnet", "run")]
    [InlineData(null, "./Shop", "Other.dll")]
    [InlineData(null)]
    public void The_program_behind_the_host(string? expected, params string[] arguments) => Assert.Equal(expected, ProcFiles.Program(arguments));

    [Theory]
    [InlineData("10.0.12", "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so")]
    [InlineData(null, "/app/libcoreclr.so")]
    [InlineData(null, null)]
    public void The_version_in_a_path(string? expected, string? path) => Assert.Equal(expected, ProcFiles.Version(path));

    [Fact]
    public void This_process_is_not_in_the_list()
        => Assert.DoesNotContain(ProcessList.All(), process => process.Pid == Environment.ProcessId);

    [Fact]
    public void A_process_that_has_ended_is_null() => Assert.Null(ProcessList.Find(999_999_999));

    [Fact]
    public void A_kernel_thread_or_init_is_not_a_dotnet_process() => Assert.DoesNotContain(ProcessList.All(), process => process.Pid == 1);

    [Fact]
    public void States_in_a_word()
    {
        Assert.Equal("no async", ProcessProbe.Verdict(new SnapshotDrawing().Snapshot()));
        Assert.Equal("unknown", ProcessProbe.Verdict(new SnapshotDrawing().Incomplete().Snapshot()));
        Assert.Equal("awaiting", ProcessProbe.Verdict(new SnapshotDrawing().Stack(1, "Task", "A.B()").Snapshot()));
        Assert.Equal("running", ProcessProbe.Verdict(Drawings.Shop().Snapshot()));
        Assert.Equal("blocked", ProcessProbe.Verdict(Drawings.Shop().Stack(1, StackState.Blocked, null, "A.B()").Snapshot()));
        // Whatever else blocks does so because of it.
        Assert.Equal("deadlock", ProcessProbe.Verdict(new SnapshotDrawing().Stack(1, StackState.Blocked, null, "A.B()").Stack(2, StackState.Deadlocked, null, "A.C()").Snapshot()));
        Assert.Equal("deadlock", ProcessProbe.Verdict(Drawings.Shop().Finding(Async2.Analysis.Model.Severity.Error, "deadlock", "x").Snapshot()));
    }

    [Fact]
    public void The_table_says_why_a_process_cannot_be_read_and_fits_the_terminal()
    {
        ProcessRow[] rows =
        [
            new() { Pid = 7, Name = "Shop", Runtime = "10.0.12", Families = ["runtime-async"], Stacks = 1234, Frames = 99999, Verdict = "awaiting", Complete = false, CommandLine = new string('c', 200) },
            new() { Pid = 12345, Name = "Other", Verdict = "unreadable", Reason = "no permission" },
        ];
        string[] lines = Table(rows, 90);
        Assert.Equal("2 .NET processes, 1 with async stacks (1,234 stacks), 1 unreadable", lines[0]);
        Assert.Equal("  PID  NAME   RUNTIME  ASYNC     STACKS    FRAMES  VERDICT     COMMAND", lines[2]);
        Assert.StartsWith("    7  Shop   10.0.12  runtime  >=1,234  >=99,999  awaiting    ccc", lines[3]);
        Assert.Equal(90, lines[3].Length);
        Assert.Equal("12345  Other  ?        ?              ?         ?  unreadable  ", lines[4]);
        Assert.Equal(["", "12345 Other: no permission", "", "No process was stopped for this list, so threads that block were not looked at:", "  dotnet-async2 PID does.", ""], lines[5..]);
        Assert.DoesNotContain("COMMAND", Table(rows, 70)[2]);
    }

    [Fact]
    public void A_busy_machine_does_not_delay_the_list_without_end()
    {
        ImmutableArray<RunningProcess> processes = [.. Enumerable.Range(1, 50).Select(pid => new RunningProcess(pid, "Shop", null, null))];
        var survey = new ProcessSurvey(
            process =>
            {
                Thread.Sleep(100);
                return process.Pid == 2 ? null : ProcessProbe.Unread(process) with { Verdict = "awaiting" };
            },
            TimeSpan.FromMilliseconds(150));
        ProcessRow[] rows = survey.Look(processes, TestContext.Current.CancellationToken);
        // What has ended is not there; all others are, and those that were not read say why and what to do.
        Assert.Equal(processes.Select(process => process.Pid).Except(rows.Select(row => row.Pid)), rows.Any(row => row.Pid == 2) ? [] : [2]);
        Assert.InRange(rows.Count(row => row.Verdict == "awaiting"), 1, 45);
        Assert.All(rows.Where(row => row.Verdict != "awaiting"), row => Assert.Equal(("unreadable", $"not read: the processes before it took too long; dotnet-async2 {row.Pid} reads it"), (row.Verdict, row.Reason)));
        Assert.Equal(rows.OrderBy(row => row.Pid), rows);
    }

    private static string[] Table(ProcessRow[] rows, int width)
    {
        using var writer = new StringWriter();
        ProcessTable.Write(new PlainText(writer, new TextSurface(width)), rows);
        return writer.ToString().Split('\n');
    }

    [Fact]
    public void A_list_without_processes_says_so() => Assert.Equal("no .NET process found that this user can see", ProcessTable.Summary([]));

    [Fact]
    public void A_truncated_answer_is_not_a_row() => Assert.Null(IsolatedProbe.Parse("{\"pid\": 1, \"na"));
}
