using System.Diagnostics;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Processes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>A wait for a process that waits itself, until somebody reads what it prints, is found; one for a process that is only slow is not. Both builds.</summary>
[Trait("Category", "Integration")]
public sealed class ChildOutputTests
{
    private static readonly string[] Stuck = ["end", "error-after-output", "input-before-output", "thread-end", "thread-output"];

    private static readonly string[] Kept = ["kept-read", "kept-lines", "kept-thread"];

    public static TheoryData<string> Builds => new("Situations", "Situations.Classic");

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_process_whose_output_nobody_reads_is_found(string build)
    {
        Situation[] looks = Situation.LookTwice(build, "childFull");
        Situation live = looks[0], dump = looks[1];
        Finding[] found = [.. live.Findings.Where(finding => finding.Severity > Severity.Info)];
        Assert.All(found, finding => Assert.Equal(("deadlock", Confidence.Likely, 1), (finding.Rule, finding.Confidence, finding.Blocked)));
        Assert.Equal(Stuck.Select(live.LineOf).Order(), found.Select(finding => finding.Evidence[0].Line ?? 0).Order());
        Assert.All(found, finding => Assert.Matches(@"^Children\.\w+ \(Children\.cs:\d+\) waits for process \d+, which is stuck: process \d+ \((head|cat)\) waits until its standard (output|error) is read, which is full", finding.Text));
        // Nothing else is said of them.
        Assert.Equal(found.Length, live.Findings.Length);
        // In a dump it is not known what a process does; but that nobody has asked for its streams is.
        Assert.DoesNotContain(dump.Findings, finding => finding.Severity > Severity.Info);
        Assert.Equal(Stuck.Length, dump.Stacks.Count(stack => stack.WaitingOn is { } wait && wait.FullText.Contains("standard error never read", StringComparison.Ordinal)));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Optimised_code_says_the_same(string build)
    {
        Situation live = Situation.Look(build, "childFull", ("DOTNET_TieredCompilation", "0"));
        Assert.Equal(Stuck.Select(live.LineOf).Order(), live.Findings.Where(finding => finding.Rule == "deadlock").Select(finding => finding.Evidence[0].Line ?? 0).Order());
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_process_that_is_slow_or_is_read_is_not(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "childFullAlike"))
        {
            Assert.Equal(6, found.Stacks.Length);
            Assert.DoesNotContain(found.Findings, finding => finding.Severity > Severity.Info);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void An_output_that_another_process_has_inherited_is_found(string build)
    {
        Situation[] looks = Situation.LookTwice(build, "childKept");
        Situation live = looks[0], dump = looks[1];
        Assert.Equal(Kept.Select(live.LineOf).Order(), live.Findings.Select(finding => finding.Evidence[0].Line ?? 0).Order());
        Assert.All(live.Findings, finding => Assert.Equal(("slow-dependency", Severity.Warning, Confidence.Possible, 1), (finding.Rule, finding.Severity, finding.Confidence, finding.Blocked)));
        Assert.All(live.Findings, finding => Assert.Matches(@"^Children\.\w+ \(Children\.cs:\d+\) waits for the end of the standard output of process \d+, which has ended; process \d+ \(sh\) still has it open$", finding.Text));
        // In a dump it is not known who has it open; but that the process has ended is.
        Assert.DoesNotContain(dump.Findings, finding => finding.Severity > Severity.Info);
        Assert.All((Situation[])[live, dump], look => Assert.Equal(Kept.Length, look.Stacks.Count(stack => stack.WaitingOn?.FullText is { } wait && wait.StartsWith("Socket receive, standard output, pid ", StringComparison.Ordinal) && wait.Contains(", exited", StringComparison.Ordinal))));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void One_that_is_read_line_by_line_or_whose_process_runs_is_not(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "childKeptAlike"))
        {
            Assert.Equal(3, found.Stacks.Length);
            Assert.DoesNotContain(found.Findings, finding => finding.Severity > Severity.Info);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_does_not_read_the_pipe_into_which_a_thread_writes_is_named(string build)
    {
        Situation[] looks = Situation.LookTwice(build, "outputUnread");
        Finding found = Assert.Single(looks[0].Findings);
        Assert.Equal(("slow-dependency", Severity.Info, Confidence.Certain, looks[0].LineOf("log")), (found.Rule, found.Severity, found.Confidence, found.Evidence[0].Line));
        Assert.Matches(@"^1 stack waits for process \d+ \(sh\) to read what is written to descriptor \d+, a pipe that is full$", found.Text);
        Assert.Matches(@", in a system call, descriptor \d+ is a full pipe, read by sh, pid \d+$", Assert.Single(looks[0].Stacks).WaitingOn?.FullText);
        // A dump does not tell what others do.
        Assert.Empty(looks[1].Findings);
        Assert.EndsWith("in a system call", Assert.Single(looks[1].Stacks).WaitingOn?.FullText, StringComparison.Ordinal);
    }

    [Fact]
    public void The_output_of_the_program_itself_is_called_so()
    {
        const string source = """
            System.Console.Error.WriteLine(System.Environment.ProcessId);
            while (true)
                System.Console.WriteLine(new string('x', 1000));
            """;
        using var program = new IdleProgram(source);
        using Process shell = Process.Start(new ProcessStartInfo("sh", ["-c", $"dotnet {program.Build.Assembly} | sleep 600"]) { RedirectStandardError = true })!;
        int pid = int.Parse(shell.StandardError.ReadLine()!, CultureInfo.InvariantCulture);
        try
        {
            ProcessFacts.WaitUntil(() => ProcessThreads.Of(pid).Any(thread => PipeWriters.WrittenBy(pid, thread) is not null), "its output is full");
            Finding found = Assert.Single(WholeAnswer.Of(pid.ToString(CultureInfo.InvariantCulture), new AnalysisOptions()).Findings);
            Assert.Matches(@"^1 stack waits for process \d+ \(sleep\) to read what is written to standard output, a pipe that is full$", found.Text);
        }
        finally
        {
            shell.Kill(entireProcessTree: true);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_writes_into_such_a_pipe_and_has_a_lock_is_warned_about(string build)
    {
        Situation[] looks = Situation.LookTwice(build, "outputUnreadLocked");
        Finding found = Assert.Single(looks[0].Findings);
        Assert.Equal(("slow-dependency", Severity.Warning, Confidence.Possible, 1), (found.Rule, found.Severity, found.Confidence, found.Blocked));
        Assert.Matches(@"^Children\.LogLockedAsync \(Children\.cs:\d+\) holds `Children\.Gate`, for which 1 stack waits, and waits until process \d+ \(sh\) reads descriptor \d+, a pipe that is full$", found.Text);
        Assert.Contains(found.Evidence, step => step.Line == looks[0].LineOf("log-gate"));
        Assert.DoesNotContain(looks[1].Findings, finding => finding.Severity > Severity.Info);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_pipe_that_is_read_is_not(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "outputRead"))
            Assert.Empty(found.Findings);
    }
}
