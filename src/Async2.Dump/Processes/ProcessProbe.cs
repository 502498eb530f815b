using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Processes;

/// <summary>A quick read of a process without stopping it, with a time limit: enough for a line in a list.</summary>
internal static class ProcessProbe
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    /// <summary>What is known about a process without reading it.</summary>
    public static ProcessRow Unread(RunningProcess process) => new()
    {
        Pid = process.Pid,
        Name = process.Name,
        Runtime = process.Runtime,
        CommandLine = process.CommandLine,
        Verdict = "unreadable",
    };

    /// <summary>Reads the process; if it cannot be read, the row says why.</summary>
    public static ProcessRow At(RunningProcess process, CancellationToken cancellation)
    {
        ProcessRow row = Unread(process);
        try
        {
            return With(row, Read(process.Pid, cancellation));
        }
        catch (TargetException exception)
        {
            return row with { Reason = exception.Message };
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // One broken process must not hide all others from the list.
            return row with { Reason = exception.GetType().Name + ": " + exception.Message };
        }
    }

    /// <summary>The state in a word.</summary>
    public static string Verdict(StackView snapshot)
    {
        // Worst first.
        if (snapshot.Findings.FirstOrDefault(finding => finding is { Severity: > Severity.Info, Confidence: > Confidence.Possible }) is { } worst)
            return worst.Rule;
        if (snapshot.Totals.Stacks == 0)
            return snapshot.Complete ? "no async" : "unknown";
        if (snapshot.Stacks.Any(stack => stack.State is StackState.Deadlocked))
            return "deadlock";
        if (snapshot.Stacks.Any(stack => stack.State is StackState.Blocked))
            return "blocked";
        return snapshot.Stacks.Any(stack => stack.State is StackState.Active or StackState.Scheduled) ? "running" : "awaiting";
    }

    private static StackView Read(int pid, CancellationToken cancellation)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(Timeout);
        using Target target = Target.OpenProcess(pid, new TargetOptions { Freeze = FreezeMode.None });
        return Analyzer.Analyze(target, new AnalysisOptions(), null, limit.Token);
    }

    private static ProcessRow With(ProcessRow row, StackView snapshot) => row with
    {
        Runtime = snapshot.Target.Runtime ?? row.Runtime,
        Families = snapshot.Target.Families,
        Stacks = snapshot.Totals.Stacks,
        Frames = snapshot.Totals.Frames,
        Verdict = Verdict(snapshot),
        Complete = snapshot.Complete,
    };
}
