using System.Diagnostics;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// A live process at one moment: like a core in memory. Its memory is in this process; registers are those of
/// stopped threads, none of a running process.
/// </summary>
internal sealed record ProcessCopy
{
    /// <summary>A process without a copy: all of its memory is read in place.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="freeze">Holds it; null if it runs, without readable registers.</param>
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

    /// <summary>Memory that is nowhere else: private memory and code heaps.</summary>
    public required MemoryImage Image { get; init; }

    /// <summary>The part of the heap of which only pages were copied; null for none.</summary>
    public OldHeap? Old { get; init; }

    /// <summary>All mappings, by address.</summary>
    public required IReadOnlyList<MemoryMapping> Mappings { get; init; }

    /// <summary>The program that it was all the time, and the files named by its paths.</summary>
    public required ProcessView View { get; init; }

    /// <summary>Nothing was copied.</summary>
    public bool IsLive { get; init; }

    /// <summary>Stopwatch timestamp of the moment.</summary>
    public required long TakenAt { get; init; }

    /// <summary>How long the process was stopped for it; null if it ran.</summary>
    public TimeSpan? StoppedFor { get; init; }

    /// <summary>A debugger had stopped it.</summary>
    public bool IsHeld { get; init; }

    /// <summary>All of it is from one moment.</summary>
    public bool IsStill => IsHeld || StoppedFor is not null;

    /// <summary>Registers of each thread, by its id.</summary>
    public IReadOnlyDictionary<uint, byte[]> Threads { get; init; } = new Dictionary<uint, byte[]>();

    /// <summary>Changes while a running process was copied; null for a stopped one.</summary>
    public ChangedPages? Changed { get; init; }
}
