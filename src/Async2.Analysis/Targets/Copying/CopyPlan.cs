using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// The memory of a process that has to be copied because it is nowhere else: private memory, and the runtime's code heaps. Pages of
/// files are left out as long as they are not writable.
/// </summary>
internal sealed class CopyPlan
{
    // Its pagemap alone would be half a gigabyte. .NET reserves more than that, but not as writable memory.
    private const ulong ScanLimit = 256ul << 30;

    private CopyPlan(List<MemoryMapping> mappings) => Mappings = mappings;

    /// <summary>All mappings of the process.</summary>
    public IReadOnlyList<MemoryMapping> Mappings { get; }

    /// <summary>Memory that will be known afterwards; parts of it that are in no run are zero.</summary>
    public List<MemorySlice> Ranges { get; } = [];

    /// <summary>Ranges to copy, smallest mapping first: the runtime's records about the heap should not be newer than the heap.</summary>
    public List<MemorySlice> Runs { get; } = [];

    /// <summary>Ranges to copy of memory of which only these are known afterwards, by address.</summary>
    public IReadOnlyList<MemorySlice> Packed { get; private init; } = [];

    /// <summary>Bytes of all runs.</summary>
    public ulong Bytes => Runs.Concat(Packed).Aggregate(0ul, (sum, run) => sum + run.Length);

    /// <summary>More than can be scanned.</summary>
    public bool IsTooBig { get; private set; }

    /// <summary>Scans a process.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="old">A part of its heap that is not copied as a whole; null for none.</param>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It belongs to another user.</exception>
    public static CopyPlan Of(int pid, OldHeap? old = null)
    {
        var plan = new CopyPlan(MemoryMapping.Of(pid)) { Packed = old?.Runs ?? [] };
        using var pages = new PageMap(pid);
        ulong scanned = 0;
        foreach (MemoryMapping mapping in plan.Mappings.Where(m => m.IsReadable && (m.IsPrivate || m.IsDoubleMapped)).OrderBy(m => m.Length))
        {
            MemorySlice whole = new(mapping.Start, (nuint)mapping.Length);
            foreach (MemorySlice part in old is not null && mapping.IsAnonymous ? old.Without(whole) : [whole])
            {
                scanned += part.Length;
                if (scanned > ScanLimit)
                {
                    plan.IsTooBig = true;
                    return plan;
                }
                plan.Add(mapping, part, pages);
            }
        }
        return plan;
    }

    private void Add(MemoryMapping mapping, MemorySlice part, PageMap pages)
    {
        if (mapping.IsAnonymous)
        {
            Ranges.Add(part);
            pages.AddRuns(part, ownOnly: false, Runs);
            return;
        }
        int first = Runs.Count;
        // The pagemap shows pages touched through this mapping; the runtime writes its memory through another one.
        if (mapping.IsDoubleMapped || (mapping.IsFile && mapping.IsWritable))
            Runs.Add(part);
        else if (mapping.IsFile)
            pages.AddRuns(part, ownOnly: true, Runs);
        Ranges.AddRange(Runs.Skip(first));
    }
}
