using System.Diagnostics;
using System.Globalization;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets.Stopping;

/// <summary>What becomes of the signals of a thread that is held.</summary>
public sealed class PtraceTests
{
    // As a shell says it: SIGUSR1 ends a program that does not expect it.
    private const int EndedBySignal = 128 + 10;

    /// <summary>Requests of ptrace come from one thread, which is the test's own.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_signal_reaches_a_process_whether_it_comes_before_the_request_to_stop_or_after(bool isAfter)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        using Process shell = StartSleeper(out int pid);
        try
        {
            Assert.True(Ptrace.Seize(pid));
            if (isAfter)
                Hold(pid);
            ProcessFacts.Signal(pid, "USR1");
            // Before: it stops because of the signal.
            ProcessFacts.WaitUntil(() => State(pid) == "t", "it is stopped");
            Ptrace.Detach(pid);
            Assert.Equal(EndedBySignal, int.Parse(shell.StandardOutput.ReadLine()!, CultureInfo.InvariantCulture));
        }
        finally
        {
            ProcessFacts.Signal(pid, "KILL");
        }
    }

    [Fact]
    public void A_process_that_was_held_without_a_signal_goes_on()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        using Process shell = StartSleeper(out int pid);
        try
        {
            Assert.True(Ptrace.Seize(pid));
            Hold(pid);
            Ptrace.Detach(pid);
            ProcessFacts.WaitUntil(() => State(pid) == "S", "it sleeps again");
        }
        finally
        {
            ProcessFacts.Signal(pid, "KILL");
        }
    }

    // Not a child of this process: .NET takes a child that is stopped for one that has ended. Without the signal it ends, too, but not by it.
    private static Process StartSleeper(out int pid)
    {
        Process shell = Process.Start(new ProcessStartInfo("sh") { ArgumentList = { "-c", "exec 2>/dev/null; sleep 20 & echo $!; wait $!; echo $?" }, RedirectStandardOutput = true })!;
        int sleeper = pid = int.Parse(shell.StandardOutput.ReadLine()!, CultureInfo.InvariantCulture);
        ProcessFacts.WaitUntil(() => File.ReadAllText($"/proc/{sleeper}/comm").Trim() == "sleep", "it runs");
        return shell;
    }

    private static void Hold(int pid)
    {
        Ptrace.Interrupt(pid);
        ProcessFacts.WaitUntil(() => State(pid) == "t", "it stops");
    }

    private static string? State(int pid) => ProcFiles.StatFields(string.Create(CultureInfo.InvariantCulture, $"{pid}/task/{pid}"))?[0];
}
