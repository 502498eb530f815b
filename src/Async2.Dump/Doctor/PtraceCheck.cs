using System.Globalization;
using Async2.Analysis.Targets;

namespace Async2.Dump.Doctor;

/// <summary>Whether the kernel lets this user stop and read processes.</summary>
internal sealed class PtraceCheck : ICheck
{
    private const string Subject = "ptrace";
    private const string ScopeFile = "/proc/sys/kernel/yama/ptrace_scope";
    private const int SysPtraceCapability = 19;

    public IEnumerable<CheckResult> Run(Patient patient)
    {
        if (!OperatingSystem.IsLinux())
            yield break;
        yield return Machine(Scope(), HasCapability());
        if (patient.Process is RunningProcess process && ProcFiles.Status(process.Pid, "TracerPid") is string tracer && tracer != "0")
        {
            yield return CheckResult.Fail(Subject, $"process {process.Pid} is already held by debugger {tracer}",
                "detach that debugger, or read without stopping: --freeze none");
        }
    }

    /// <summary>What the settings of a machine allow.</summary>
    /// <param name="scope">Yama's <c>ptrace_scope</c>; 0 where there is no yama.</param>
    /// <param name="capable">Whether this process has <c>CAP_SYS_PTRACE</c>.</param>
    public static CheckResult Machine(int scope, bool capable) => scope switch
    {
        >= 3 => CheckResult.Fail(Subject, "forbidden for everybody (ptrace_scope 3, until the next boot)", "use dumps: dotnet-async2 dump collect PID"),
        _ when capable => CheckResult.Ok(Subject, "allowed for all processes (CAP_SYS_PTRACE)"),
        <= 0 => CheckResult.Ok(Subject, "allowed for processes of this user"),
        _ => CheckResult.Fail(Subject, $"not allowed (ptrace_scope {scope.ToString(CultureInfo.InvariantCulture)} and no CAP_SYS_PTRACE)",
            "run with sudo, in a container with --cap-add SYS_PTRACE, or: sudo sysctl kernel.yama.ptrace_scope=0; or use dumps: dotnet-async2 dump collect PID"),
    };

    private static int Scope()
        => File.Exists(ScopeFile) && int.TryParse(File.ReadAllText(ScopeFile), CultureInfo.InvariantCulture, out int scope) ? scope : 0;

    private static bool HasCapability()
        => ulong.TryParse(ProcFiles.Status(Environment.ProcessId, "CapEff"), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong capabilities)
            && (capabilities >> SysPtraceCapability & 1) != 0;
}
