using System.Diagnostics;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// A live process as it was at one moment: a core that never was a file. Its memory lies in this process; registers are those of
/// threads that were stopped, none of a process that ran on.
/// </summary>
internal sealed record ProcessCopy
{
    /// <summary>A process of which nothing is copied: all of its memory is read where it is.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="freeze">What holds it; null when it runs, and has no registers to be seen.</param>
    public static ProcessCopy OfNothing(int pid, ProcessFreeze? freeze) => new()
    {
        Pid = pid,
        Image = new MemoryImage([], new CopySpace()),
        Mappings = MemoryMapping.Of(pid),
        View = ProcessView.Of(pid),
        IsLive = true,
        TakenAt = freeze?.Since ?? Stopwatch.GetTimestamp(),
        Threads = freeze?.Registers(pid) ?? [],
    };

    /// <summary>The process.</summary>
    public required int Pid { get; init; }

    /// <summary>What is nowhere else: private memory and code heaps.</summary>
    public required MemoryImage Image { get; init; }

    /// <summary>All mappings, by address.</summary>
    public required IReadOnlyList<MemoryMapping> Mappings { get; init; }

    /// <summary>Which program it was all the while, and the files that its paths name.</summary>
    public required ProcessView View { get; init; }

    /// <summary>Nothing was copied.</summary>
    public bool IsLive { get; init; }

    /// <summary>Stopwatch timestamp of the moment.</summary>
    public required long TakenAt { get; init; }

    /// <summary>How long the process was stopped for it; null when it ran.</summary>
    public TimeSpan? StoppedFor { get; init; }

    /// <summary>A debugger held it, so that it was stopped for us, too.</summary>
    public bool IsHeld { get; init; }

    /// <summary>All of it is of one moment.</summary>
    public bool IsStill => IsHeld || StoppedFor is not null;

    /// <summary>Registers of each thread, by its id.</summary>
    public IReadOnlyDictionary<uint, byte[]> Threads { get; init; } = new Dictionary<uint, byte[]>();

    /// <summary>What changed while a running process was copied; null of one that was stopped.</summary>
    public ChangedPages? Changed { get; init; }
}
