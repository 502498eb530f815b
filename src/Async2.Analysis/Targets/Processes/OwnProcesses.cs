using System.Globalization;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The processes that this tool itself consists of, which nobody means by a target: this one and, where the tool reads targets in
/// a process of its own, the one that waits for it (<see cref="SupervisorVariable"/>).
/// </summary>
public static class OwnProcesses
{
    /// <summary>Environment variable with the pid of the process that started this one to read for it.</summary>
    public const string SupervisorVariable = "DOTNET_ASYNC2_SUPERVISOR";

    /// <summary>The process that waits for this one; null when there is none.</summary>
    public static int? Supervisor { get; } = int.TryParse(
        Environment.GetEnvironmentVariable(SupervisorVariable), NumberStyles.None, CultureInfo.InvariantCulture, out int pid) ? pid : null;

    /// <summary>Whether a pid is one of them.</summary>
    public static bool Contains(int pid) => pid == Environment.ProcessId || pid == Supervisor;
}
