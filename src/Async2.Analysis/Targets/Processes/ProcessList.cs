using System.Collections.Immutable;
using System.Diagnostics;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The .NET processes of this machine. On Linux those that have <c>libcoreclr.so</c> mapped, whether or not they speak the
/// diagnostics protocol, and those that publish a diagnostics socket (single-file programs have the runtime inside their own
/// executable); elsewhere only the latter. Never this tool itself.
/// </summary>
public static class ProcessList
{
    /// <summary>All of them, by process id.</summary>
    public static ImmutableArray<RunningProcess> All() => [.. Pids().Select(Describe).OfType<RunningProcess>()];

    /// <summary>One process by id; null if it has ended.</summary>
    public static RunningProcess? Find(int pid) => Describe(pid);

    /// <summary>
    /// The .NET processes with a name: the program's name, its executable's, or (Linux) the name that
    /// <c>ps</c> and <c>top</c> show. Ordinal.
    /// </summary>
    public static ImmutableArray<RunningProcess> FindByName(string name)
        => [.. All().Where(process => process.Name == name || (OperatingSystem.IsLinux() && ProcFiles.OtherNames(process.Pid).Contains(name)))];

    /// <summary>Those that a process has started, and those that these have started, by process id. Linux; elsewhere none are known.</summary>
    public static ImmutableArray<RunningProcess> StartedBy(int pid)
    {
        if (!OperatingSystem.IsLinux())
            return [];
        Dictionary<int, int> parents = [];
        foreach (int process in ProcFiles.Pids())
        {
            if (ProcFiles.Parent(process) is { } parent)
                parents[process] = parent;
        }
        return [.. All().Where(process => Ancestors(process.Pid, parents).Contains(pid))];
    }

    private static IEnumerable<int> Ancestors(int pid, Dictionary<int, int> parents)
    {
        // Read while processes come and go, so that it could be a cycle.
        for (int left = parents.Count; left > 0 && parents.TryGetValue(pid, out int parent); left--)
        {
            // What this tool started is its own.
            if (OwnProcesses.Contains(parent))
                yield break;
            yield return pid = parent;
        }
    }

    private static IEnumerable<int> Pids()
    {
        IEnumerable<int> pids = OperatingSystem.IsLinux()
            ? ProcFiles.Pids().Where(pid => ProcFiles.RuntimePath(pid) is not null || DiagnosticSockets.HasElsewhere(pid)).Concat(DiagnosticSockets.Pids())
            : DiagnosticsClient.GetPublishedProcesses();
        return pids.Where(pid => !OwnProcesses.Contains(pid)).Distinct().Order();
    }

    private static RunningProcess? Describe(int pid)
    {
        if (OperatingSystem.IsLinux())
            return ProcFiles.Describe(pid);
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
}
