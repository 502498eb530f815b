namespace Async2.Analysis.Targets;

/// <summary>
/// A live process as it was at one moment: a core that never was a file. Its memory lies in this process; registers are those of
/// threads that stood still, none of a process that ran on.
/// </summary>
internal sealed record ProcessCopy
{
    /// <summary>The process.</summary>
    public required int Pid { get; init; }

    /// <summary>What is nowhere else: private memory and code heaps.</summary>
    public required MemoryImage Image { get; init; }

    /// <summary>All mappings, by address.</summary>
    public required IReadOnlyList<MemoryMapping> Mappings { get; init; }

    /// <summary>Paths name the same files for the process and for us: it is not in a container.</summary>
    public bool SharesFiles { get; init; }

    /// <summary>Stopwatch timestamp of the moment.</summary>
    public required long TakenAt { get; init; }

    /// <summary>How long the process stood still for it; null when it ran.</summary>
    public TimeSpan? Stood { get; init; }

    /// <summary>A debugger held it, so that it stood still for us, too.</summary>
    public bool IsHeld { get; init; }

    /// <summary>All of it is of one moment.</summary>
    public bool IsStill => IsHeld || Stood is not null;

    /// <summary>Registers of each thread, by its id.</summary>
    public IReadOnlyDictionary<uint, byte[]> Threads { get; init; } = new Dictionary<uint, byte[]>();

    /// <summary>What changed while a running process was copied; null of one that stood still.</summary>
    public ChangedPages? Changed { get; init; }
}
