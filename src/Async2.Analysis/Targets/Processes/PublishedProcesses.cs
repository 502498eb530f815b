using System.Diagnostics;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets.Processes;

/// <summary>Processes of other systems: those that listen for diagnostics.</summary>
internal sealed class PublishedProcesses : IProcessDirectory
{
    /// <inheritdoc/>
    public IEnumerable<int> DotnetPids() => DiagnosticsClient.GetPublishedProcesses();

    /// <inheritdoc/>
    public IEnumerable<int> Pids() => Process.GetProcesses().Select(process => process.Id);

    /// <inheritdoc/>
    public RunningProcess? Describe(int pid)
    {
        try
        {
            using Process process = Process.GetProcessById(pid);
            return new RunningProcess(pid, process.ProcessName, null, null);
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException)
        {
            // It ended between being listed and being read.
            return null;
        }
    }

    /// <inheritdoc/>
    public IEnumerable<string> OtherNames(int pid) => [];

    /// <inheritdoc/>
    public int? Parent(int pid) => null;

    /// <inheritdoc/>
    public string[] Arguments(int pid) => [];

    /// <inheritdoc/>
    public long? ResidentBytes(int pid) => null;

    /// <inheritdoc/>
    public bool HasDiagnostics(int pid) => DotnetPids().Contains(pid);

    /// <inheritdoc/>
    public bool IsNative(int pid) => false;
}
