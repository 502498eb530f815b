using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Dump.Doctor;

/// <summary>Whether the system lets this user stop processes: tried in the same way as reading does, not derived from settings.</summary>
internal sealed class PtraceCheck : ICheck
{
    private static string Subject => OperatingSystem.IsWindows() ? "stopping" : "ptrace";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
            return [];
        int[] pids = [.. context.Processes.Select(process => process.Pid)];
        // If no .NET process runs, the parent process is as good as any other of this user.
        if (pids.Length == 0 && OwnProcesses.Supervisor is { } supervisor && context.Target is null)
            pids = [supervisor];
        return Tried([.. pids.Select(pid => (pid, AccessDenial.WhenStopping(pid)))]);
    }

    /// <summary>Describes trials: one line for the successful ones, one for each reason of failure.</summary>
    /// <param name="trials">Processes, each with the reason why it could not be stopped; null if it could.</param>
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
