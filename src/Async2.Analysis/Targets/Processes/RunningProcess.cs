using System.Globalization;

namespace Async2.Analysis.Targets.Processes;

/// <summary>A .NET process on this machine, as the operating system tells it; nothing in it was read yet.</summary>
/// <param name="Pid">Process id.</param>
/// <param name="Name">The program: <c>Shop</c> for <c>dotnet Shop.dll</c> as well as for <c>./Shop</c>.</param>
/// <param name="CommandLine">Arguments joined by spaces; null where the system does not tell.</param>
/// <param name="Runtime">Runtime version where its place on disk tells it; null for self-contained programs.</param>
public sealed record RunningProcess(int Pid, string Name, string? CommandLine, string? Runtime)
{
    /// <summary>It listens for diagnostics, so that a dump can be asked for.</summary>
    public bool HasDiagnostics() => DiagnosticSockets.Has(Pid);

    /// <summary>How much of it is in memory now; null where the system does not tell.</summary>
    public long? ResidentBytes()
        // "VmRSS:  123456 kB"
        => long.TryParse(ProcFiles.Status(Pid, "VmRSS")?.Split(' ')[0], CultureInfo.InvariantCulture, out long kilobytes) ? kilobytes * 1024 : null;
}
