using System.Globalization;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Processes;

/// <summary>The diagnostics pipes of .NET processes on this machine, <c>\\.\pipe\dotnet-diagnostic-PID</c>.</summary>
[SupportedOSPlatform("windows")]
internal static class DiagnosticPipes
{
    private const string Folder = @"\\.\pipe\";
    private const string Prefix = "dotnet-diagnostic-";

    /// <summary>Process ids that have one; none where pipes cannot be listed.</summary>
    public static IEnumerable<int> Pids()
    {
        try
        {
            // Names may hold what no file name may, so that one of them can end the list: what comes before it is kept.
            return [.. new DirectoryInfo(Folder).EnumerateFileSystemInfos(Prefix + "*").Select(pipe => PidIn(pipe.Name)).OfType<int>()];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return [];
        }
    }

    /// <summary>Whether a process has one. Asking whether the file exists would open it, and take the place of a client.</summary>
    public static bool Has(int pid) => WindowsCalls.HasPipe(string.Create(CultureInfo.InvariantCulture, $"{Folder}{Prefix}{pid}"));

    private static int? PidIn(string name)
        => name.StartsWith(Prefix, StringComparison.Ordinal) && int.TryParse(name.AsSpan(Prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int pid) ? pid : null;
}
