using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// What of a process has to be copied to have all that is nowhere else: memory of its own, and the runtime's code heaps. Pages of
/// files are left out as long as nobody may write to them.
/// </summary>
internal sealed class CopyPlan
{
    // Its pagemap alone would be half a gigabyte. .NET reserves more than that, but not as writable memory.
    private const ulong ScanLimit = 256ul << 30;

    private CopyPlan(List<MemoryMapping> mappings) => Mappings = mappings;

    /// <summary>All mappings of the process.</summary>
    public IReadOnlyList<MemoryMapping> Mappings { get; }

    /// <summary>What is to be known afterwards; memory of it that is in no run is zero.</summary>
    public List<MemorySlice> Ranges { get; } = [];

    /// <summary>What is to be copied, smallest mapping first: the runtime's own notes about the heap should be no newer than the heap.</summary>
    public List<MemorySlice> Runs { get; } = [];

    /// <summary>Bytes of all runs.</summary>
    public ulong Bytes => Runs.Aggregate(0ul, (sum, run) => sum + run.Length);

    /// <summary>More than can be looked through.</summary>
    public bool IsTooBig { get; private set; }

    /// <summary>Looks at a process.</summary>
    /// <exception cref="IOException">The process is gone.</exception>
    /// <exception cref="UnauthorizedAccessException">It is somebody else's.</exception>
    public static CopyPlan Of(int pid)
    {
        var plan = new CopyPlan(MemoryMapping.Of(pid));
        using var pages = new PageMap(pid);
        ulong scanned = 0;
        foreach (MemoryMapping mapping in plan.Mappings.Where(m => m.IsReadable && (m.IsPrivate || m.IsDoubleMapped)).OrderBy(m => m.Length))
        {
            scanned += mapping.Length;
            if (scanned > ScanLimit)
            {
                plan.IsTooBig = true;
                break;
            }
            plan.Add(mapping, pages);
        }
        return plan;
    }

    private void Add(in MemoryMapping mapping, PageMap pages)
    {
        if (mapping.IsAnonymous)
        {
            Ranges.Add(new(mapping.Start, (nuint)mapping.Length));
            pages.AddRuns(mapping, ownOnly: false, Runs);
            return;
        }
        int first = Runs.Count;
        // The pagemap tells which pages were touched through this mapping; of the runtime's memory they are written through another one.
        if (mapping.IsDoubleMapped || (mapping.IsFile && mapping.IsWritable))
            Runs.Add(new(mapping.Start, (nuint)mapping.Length));
        else if (mapping.IsFile)
            pages.AddRuns(mapping, ownOnly: true, Runs);
        Ranges.AddRange(Runs.Skip(first));
    }
}
