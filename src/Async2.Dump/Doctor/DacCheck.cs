using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Doctor;

/// <summary>
/// Whether the data access library of each running runtime exists and may be loaded. Uses the code that opens processes, so
/// that both always agree.
/// </summary>
internal sealed class DacCheck : ICheck
{
    private const string Subject = "dac";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
            return [];
        return context.Processes.Select(process => Check(process.Pid)).GroupBy(result => result.Text).Select(same => same.First());
    }

    /// <summary>Looks for that of one process.</summary>
    public static CheckResult Check(int pid)
    {
        try
        {
            return CheckResult.Ok(Subject, "found: " + Target.FindDac(pid, new TargetOptions()));
        }
        catch (TargetException exception)
        {
            return CheckResult.Fail(Subject, FormattableString.Invariant($"process {pid}: {exception.Message}"), exception.Fix);
        }
    }
}
