using System.Collections.Immutable;

namespace Async2.Analysis.Targets.Contract;

/// <summary>How to open a target: what the user trusts and how a live process is stopped.</summary>
public sealed record TargetOptions
{
    /// <summary>The file name of the DAC on this system: <c>mscordaccore.dll</c> on Windows, <c>libmscordaccore.so</c> on Linux.</summary>
    public static string DacFileName
        => OperatingSystem.IsWindows() ? "mscordaccore.dll" : OperatingSystem.IsMacOS() ? "libmscordaccore.dylib" : "libmscordaccore.so";

    /// <summary>
    /// The DAC (<see cref="DacFileName"/>) to load, trusted by the user. It is native code that runs in this process, so
    /// without it only a runtime installed on this machine is trusted, never a path from a dump.
    /// </summary>
    public string? DacPath { get; init; }

    /// <summary>Folders to search for PDB files (and modules), before the places that the target names.</summary>
    public ImmutableArray<string> SymbolDirectories { get; init; } = [];

    /// <summary>Registers from the debugger that holds a process: a file with a line for each thread.</summary>
    public string? Registers { get; init; }

    /// <summary>
    /// The maximum time that a live process is stopped: then it is released, and the answer is partial. Null for the defaults: 10 seconds
    /// until it is copied, a minute for a whole analysis.
    /// </summary>
    public TimeSpan? StopLimit { get; init; }

    /// <summary>Whether a live process is stopped while it is read.</summary>
    public FreezeMode Freeze { get; init; } = FreezeMode.Brief;
}

/// <summary>How a live process is stopped while it is read. It always continues afterwards.</summary>
public enum FreezeMode
{
    /// <summary>
    /// Stopped until its memory is copied, and analyzed while it runs: one consistent moment. Of a heap of more than 128 MB only what async code needs is
    /// copied, unless all of it is asked for (<see cref="AnalysisOptions.Deep"/>).
    /// </summary>
    Brief,

    /// <summary>Stopped for the whole analysis: one consistent moment, without memory for a copy.</summary>
    Full,

    /// <summary>Not stopped: copied while it runs. Chains that changed meanwhile are left out and counted.</summary>
    None,

    /// <summary>As <see cref="Brief"/>, with the whole heap, whatever its size.</summary>
    Copy,

    /// <summary>As <see cref="Brief"/>, with only what async code needs of the heap, whatever its size.</summary>
    Parts,
}
