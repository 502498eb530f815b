using System.Globalization;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The processes of this tool itself, which are never a target: this one and, if the tool reads targets in
/// a worker process, its supervisor (<see cref="SupervisorVariable"/>).
/// </summary>
public static class OwnProcesses
{
    /// <summary>Environment variable with the pid of the supervisor.</summary>
    public const string SupervisorVariable = "DOTNET_ASYNC2_SUPERVISOR";

    /// <summary>The supervisor of this process; null if there is none.</summary>
    public static int? Supervisor { get; } = int.TryParse(
        Environment.GetEnvironmentVariable(SupervisorVariable), NumberStyles.None, CultureInfo.InvariantCulture, out int pid) ? pid : null;

    /// <summary>Whether a pid is one of them.</summary>
    public static bool Contains(int pid) => pid == Environment.ProcessId || pid == Supervisor;
}
