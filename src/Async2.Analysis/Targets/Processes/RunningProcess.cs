namespace Async2.Analysis.Targets.Processes;

/// <summary>A .NET process on this machine, from the operating system; nothing in it was read yet.</summary>
/// <param name="Pid">Process id.</param>
/// <param name="Name">The program: <c>Shop</c> for <c>dotnet Shop.dll</c> as well as for <c>./Shop</c>.</param>
/// <param name="CommandLine">Arguments joined by spaces; null if the system does not provide them.</param>
/// <param name="Runtime">Runtime version if its path shows it; null for self-contained programs.</param>
public sealed record RunningProcess(int Pid, string Name, string? CommandLine, string? Runtime)
{
    /// <summary>When it was started, in a unit of the system's own (ticks since the machine's start on Linux): with the id it tells a process from all others. Null if unknown.</summary>
    public long? Started { get; init; }

    /// <summary>It listens for diagnostics, so that a dump can be requested.</summary>
    public bool HasDiagnostics() => ProcessDirectory.Here.HasDiagnostics(Pid);

    /// <summary>Its resident memory; null if the system does not provide it.</summary>
    public long? ResidentBytes() => ProcessDirectory.Here.ResidentBytes(Pid);
}
