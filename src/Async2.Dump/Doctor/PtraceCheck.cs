using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Dump.Doctor;

/// <summary>Whether the kernel lets this user stop processes: tried, as reading does it, not read off from settings.</summary>
internal sealed class PtraceCheck : ICheck
{
    private const string Subject = "ptrace";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        if (!OperatingSystem.IsLinux())
            return [];
        int[] pids = [.. context.Processes.Select(process => process.Pid)];
        // Where nothing of .NET runs, the process that waits for this one is as good as any other of this user.
        if (pids.Length == 0 && OwnProcesses.Supervisor is { } supervisor && context.Target is null)
            pids = [supervisor];
        return Tried([.. pids.Select(pid => (pid, AccessDenial.WhenStopping(pid)))]);
    }

    /// <summary>Puts trials into words: one line for those that went well, one for each reason of the others.</summary>
    /// <param name="trials">Processes, each with what kept it from being stopped; null for nothing.</param>
    public static IEnumerable<CheckResult> Tried(IReadOnlyList<(int Pid, AccessDenial? Access)> trials)
    {
        int stopped = trials.Count(trial => trial.Access is null);
        if (stopped > 0)
            yield return CheckResult.Ok(Subject, $"{DisplayText.Count(stopped, "process", "processes")} could be stopped for a moment");
        foreach (var refused in trials.Where(trial => trial.Access is not null).GroupBy(trial => trial.Access!))
        {
            string[] pids = [.. refused.Select(trial => trial.Pid.ToString(CultureInfo.InvariantCulture))];
            string text = $"{(pids.Length == 1 ? "process" : "processes")} {string.Join(", ", pids)} could not be stopped: {refused.Key.Why}";
            string fix = refused.Key.FixFor(refused.First().Pid);
            yield return stopped > 0 ? CheckResult.Warn(Subject, text, fix) : CheckResult.Fail(Subject, text, fix);
        }
    }
}
