using Async2.Analysis.Rendering;
using Async2.Analysis.Targets;

namespace Async2.Dump.Doctor;

/// <summary>Whether processes listen for diagnostics, which <c>dump collect</c> needs.</summary>
internal sealed class DiagnosticsCheck : ICheck
{
    private const string Subject = "diagnostics";

    public IEnumerable<CheckResult> Run(Patient patient)
    {
        if (!OperatingSystem.IsLinux() || patient.Processes.IsEmpty)
            yield break;
        HashSet<int> listening = [.. DiagnosticSockets.Pids()];
        RunningProcess[] silent = [.. patient.Processes.Where(process => !listening.Contains(process.Pid))];
        if (silent.Length == 0)
        {
            yield return CheckResult.Ok(Subject, $"{Words.Count(patient.Processes.Length, "process", "processes")} listening in {Path.GetTempPath()}");
            yield break;
        }
        string pids = string.Join(", ", silent.Select(process => $"{process.Pid} {process.Name}"));
        yield return CheckResult.Warn(Subject, $"no socket in {Path.GetTempPath()} for {pids}: no dump can be asked for",
            "start it without DOTNET_EnableDiagnostics=0, use its TMPDIR (TMPDIR=... dotnet-async2 ...), or run inside its container; reading it live still works");
    }
}
