using System.Collections.Immutable;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The .NET processes of this machine. On Linux and Windows those that have the runtime loaded, whether or not they speak the
/// diagnostics protocol, and those that publish a diagnostics socket or pipe (single-file programs have the runtime inside their own
/// executable); elsewhere only the latter. Never this tool itself.
/// </summary>
public static class ProcessList
{
    /// <summary>All of them, by process id.</summary>
    public static ImmutableArray<RunningProcess> All() => [.. Pids().Select(Find).OfType<RunningProcess>()];

    /// <summary>One process by id; null if it has ended.</summary>
    public static RunningProcess? Find(int pid) => ProcessDirectory.Here.Describe(pid);

    /// <summary>
    /// The .NET processes with a name: the program's name, its executable's, or (Linux) the name that
    /// <c>ps</c> and <c>top</c> show. Ordinal; on Windows, where names of files are the same in any case, without regard to it.
    /// </summary>
    public static ImmutableArray<RunningProcess> FindByName(string name)
        => [.. All().Where(process => ProcessDirectory.Here.OtherNames(process.Pid).Append(process.Name).Contains(name, NameComparer))];

    /// <summary>Those that a process has started, and those that these have started, by process id. Linux and Windows; elsewhere none are known.</summary>
    public static ImmutableArray<RunningProcess> StartedBy(int pid)
    {
        Dictionary<int, int> parents = [];
        foreach (int process in ProcessDirectory.Here.Pids())
        {
            if (ProcessDirectory.Here.Parent(process) is { } parent)
                parents[process] = parent;
        }
        return [.. All().Where(process => Ancestors(process.Pid, parents).Contains(pid))];
    }

    private static StringComparer NameComparer => OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

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

    private static IEnumerable<int> Pids() => ProcessDirectory.Here.DotnetPids().Where(pid => !OwnProcesses.Contains(pid)).Distinct().Order();
}
