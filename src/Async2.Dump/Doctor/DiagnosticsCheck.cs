using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Doctor;

/// <summary>Whether processes listen for diagnostics, which <c>dump collect</c> needs on Linux.</summary>
internal sealed class DiagnosticsCheck : ICheck
{
    private const string Subject = "diagnostics";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        if (!OperatingSystem.IsLinux() || context.Processes.IsEmpty)
            yield break;
        RunningProcess[] silent = [.. context.Processes.Where(process => !process.HasDiagnostics())];
        if (silent.Length == 0)
        {
            yield return CheckResult.Ok(Subject, $"{DisplayText.Count(context.Processes.Length, "process", "processes")} listening for it");
            yield break;
        }
        string pids = string.Join(", ", silent.Select(process => $"{process.Pid} {process.Name}"));
        yield return CheckResult.Warn(Subject, $"no socket in the temporary folder of {pids}: no dump can be asked for",
            "start it without DOTNET_EnableDiagnostics=0; reading it live still works");
    }
}
