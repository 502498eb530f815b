namespace Async2.Analysis.Targets.Processes;

/// <summary>What an operating system says of its processes to one that asks. A process may end at any moment: then the answer is null.</summary>
internal interface IProcessDirectory
{
    /// <summary>Process ids of those that run .NET, as far as that can be seen; some may be there twice.</summary>
    IEnumerable<int> DotnetPids();

    /// <summary>All process ids.</summary>
    IEnumerable<int> Pids();

    /// <summary>A process with its usual names.</summary>
    RunningProcess? Describe(int pid);

    /// <summary>Further names besides <see cref="RunningProcess.Name"/>.</summary>
    IEnumerable<string> OtherNames(int pid);

    /// <summary>Who started it; null if that is unknown, or somebody else has that id now.</summary>
    int? Parent(int pid);

    /// <summary>Command line, program first; empty if it cannot be read.</summary>
    string[] Arguments(int pid);

    /// <summary>Bytes of its memory that are in the machine's; null if unknown.</summary>
    long? ResidentBytes(int pid);

    /// <summary>It listens for diagnostics.</summary>
    bool HasDiagnostics(int pid);

    /// <summary>It is certainly not a .NET process.</summary>
    bool IsNative(int pid);
}

/// <summary>That of this system.</summary>
internal static class ProcessDirectory
{
    public static IProcessDirectory Here { get; } = OperatingSystem.IsWindows() ? new WindowsProcesses()
        : OperatingSystem.IsLinux() ? new LinuxProcesses() : new PublishedProcesses();
}
