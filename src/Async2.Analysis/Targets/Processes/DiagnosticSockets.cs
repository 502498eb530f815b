using System.Globalization;
using System.Text.RegularExpressions;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The diagnostics sockets of .NET processes on this machine, <c>dotnet-diagnostic-PID-KEY-socket</c> in the
/// temporary folder. Listed here because <c>DiagnosticsClient.GetPublishedProcesses</c> throws on Linux as soon as the
/// environment of any process cannot be read, which applies to every kernel thread.
/// </summary>
internal static partial class DiagnosticSockets
{
    /// <summary>Process ids that have a socket and still exist; sockets of killed processes remain, and their ids are reused.</summary>
    public static IEnumerable<int> Pids()
    {
        foreach (string path in Directory.EnumerateFileSystemEntries(Path.GetTempPath(), "dotnet-diagnostic-*-socket"))
        {
            Match match = SocketName().Match(Path.GetFileName(path));
            if (match.Success && int.TryParse(match.Groups[1].Value, CultureInfo.InvariantCulture, out int pid) && IsStartedAt(pid, match.Groups[2].Value))
                yield return pid;
        }
    }

    /// <summary>Whether a process has a socket: in our temporary folder, or in its own, by its own process id.</summary>
    public static bool Has(int pid) => Pids().Contains(pid) || HasInOwnFolder(pid);

    /// <summary>Whether a process in a container has a socket there.</summary>
    public static bool HasElsewhere(int pid) => !ProcFiles.IsInOurNamespace(pid, "mnt") && HasInOwnFolder(pid);

    private static bool HasInOwnFolder(int pid)
    {
        if (StartOf(pid) is not { } start)
            return false;
        using TargetFiles files = TargetFiles.Of(pid);
        return files.HasEntry(FormattableString.Invariant($"{ProcFiles.TemporaryFolder(pid)}/dotnet-diagnostic-{ProcessThreads.OwnId(pid, pid, isSame: false)}-{start}-socket"));
    }

    // The key is the start time of the process that made the socket (PAL_GetTransportPipeName).
    private static bool IsStartedAt(int pid, string key) => StartOf(pid) == key;

    private static string? StartOf(int pid) => ProcFiles.Started(pid)?.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex("^dotnet-diagnostic-([0-9]+)-([0-9]+)-socket$")]
    private static partial Regex SocketName();
}
