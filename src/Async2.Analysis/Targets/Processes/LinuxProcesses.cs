using System.Globalization;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Processes of Linux, from <c>/proc</c>. Those of .NET have <c>libcoreclr.so</c> mapped, or publish a diagnostics socket (single-file programs have the runtime
/// inside their own executable).
/// </summary>
internal sealed class LinuxProcesses : IProcessDirectory
{
    /// <inheritdoc/>
    public IEnumerable<int> DotnetPids()
        => ProcFiles.Pids().Where(pid => ProcFiles.RuntimePath(pid) is not null || DiagnosticSockets.HasElsewhere(pid)).Concat(DiagnosticSockets.Pids());

    /// <inheritdoc/>
    public IEnumerable<int> Pids() => ProcFiles.Pids();

    /// <inheritdoc/>
    public RunningProcess? Describe(int pid) => ProcFiles.Describe(pid);

    /// <summary>The executable's, and the one that <c>ps</c> and <c>top</c> show.</summary>
    public IEnumerable<string> OtherNames(int pid) => ProcFiles.OtherNames(pid);

    /// <inheritdoc/>
    public int? Parent(int pid) => ProcFiles.Parent(pid);

    /// <inheritdoc/>
    public string[] Arguments(int pid) => ProcFiles.Arguments(pid);

    /// <inheritdoc/>
    public long? ResidentBytes(int pid)
        // "VmRSS:  123456 kB"
        => long.TryParse(ProcFiles.Status(pid, "VmRSS")?.Split(' ')[0], CultureInfo.InvariantCulture, out long kilobytes) ? kilobytes * 1024 : null;

    /// <inheritdoc/>
    public bool HasDiagnostics(int pid) => DiagnosticSockets.Has(pid);

    /// <inheritdoc/>
    public bool IsNative(int pid) => ProcFiles.IsNative(pid);
}
