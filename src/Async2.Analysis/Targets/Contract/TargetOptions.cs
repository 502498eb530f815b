using System.Collections.Immutable;

namespace Async2.Analysis.Targets.Contract;

/// <summary>How to open a target: what the user vouches for and how a live process is held.</summary>
public sealed record TargetOptions
{
    /// <summary>
    /// The DAC (<c>libmscordaccore.so</c>) to load, on the user's word. It is native code that runs in this process, so
    /// without it only a runtime installed on this machine is trusted, never a path that merely stands in a dump.
    /// </summary>
    public string? DacPath { get; init; }

    /// <summary>Folders to look for PDB files (and modules) in, before the places that the target names.</summary>
    public ImmutableArray<string> SymbolDirectories { get; init; } = [];

    /// <summary>What the debugger that holds a process tells of its registers: a file with a line for each thread.</summary>
    public string? Registers { get; init; }

    /// <summary>
    /// The longest that a live process is stopped: it is let go then, and the answer is partial. Null for what suits most: 10 seconds
    /// until it is copied, a minute for a whole analysis.
    /// </summary>
    public TimeSpan? StopLimit { get; init; }

    /// <summary>Whether a live process is stopped while it is read.</summary>
    public FreezeMode Freeze { get; init; } = FreezeMode.Brief;
}

/// <summary>How a live process is held while it is read. It always continues afterwards.</summary>
public enum FreezeMode
{
    /// <summary>Stopped until its memory is copied, and analyzed when it runs on: one consistent moment.</summary>
    Brief,

    /// <summary>Stopped for the whole analysis: one consistent moment, and no memory for a copy.</summary>
    Full,

    /// <summary>Not stopped: copied while it runs. Chains that changed meanwhile are left out and counted.</summary>
    None,
}
