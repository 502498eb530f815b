using System.Globalization;
using System.Text.RegularExpressions;

namespace Async2.Analysis.Targets;

/// <summary>
/// The sockets that .NET processes of this machine listen on for diagnostics, <c>dotnet-diagnostic-PID-KEY-socket</c> in the
/// temporary folder. Listed here because <c>DiagnosticsClient.GetPublishedProcesses</c> throws on Linux as soon as the
/// environment of any process cannot be read, which is so for every kernel thread.
/// </summary>
internal static partial class DiagnosticSockets
{
    /// <summary>Process ids that have a socket and still exist; sockets of killed processes stay behind, and their ids are used again.</summary>
    public static IEnumerable<int> Pids()
    {
        foreach (string path in Directory.EnumerateFileSystemEntries(Path.GetTempPath(), "dotnet-diagnostic-*-socket"))
        {
            Match match = SocketName().Match(Path.GetFileName(path));
            if (match.Success && int.TryParse(match.Groups[1].Value, CultureInfo.InvariantCulture, out int pid) && IsStartedAt(pid, match.Groups[2].Value))
                yield return pid;
        }
    }

    /// <summary>Whether a process has a socket.</summary>
    public static bool Has(int pid) => Pids().Contains(pid);

    // The key is the start time of the process that made the socket (PAL_GetTransportPipeName; field 22 of /proc/PID/stat, proc(5)).
    private static bool IsStartedAt(int pid, string key)
    {
        const int startTime = 22 - 3;
        try
        {
            // "pid (name) state ...": the name may hold anything, so the third field follows the last parenthesis.
            string stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/stat"));
            string[] fields = stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            return fields.Length > startTime && fields[startTime] == key;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    [GeneratedRegex("^dotnet-diagnostic-([0-9]+)-([0-9]+)-socket$")]
    private static partial Regex SocketName();
}
