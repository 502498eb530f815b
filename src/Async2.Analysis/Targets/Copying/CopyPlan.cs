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

    private const ulong BigFile = 16ul << 20;
    private const ulong SmallPart = 16 * PageMap.PageSize;

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
        using PageMap? pages = OperatingSystem.IsLinux() ? new PageMap(pid) : null;
        ulong scanned = 0;
        var parts = new List<(MemoryMapping Mapping, MemorySlice Part)>();
        foreach (MemoryMapping mapping in plan.Mappings.Where(IsOwn).OrderBy(m => m.Length))
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
                parts.Add((mapping, part));
            }
        }
        pages?.Prepare(plan.Windows(old));
        foreach ((MemoryMapping mapping, MemorySlice part) in parts)
            plan.Add(mapping, part, pages);
        return plan;
    }

    private static bool IsOwn(MemoryMapping mapping) => mapping.IsReadable && (mapping.IsPrivate || mapping.IsDoubleMapped);

    // What is reserved between the mappings has no pages. A big file that is shared, and what is old in the heap, have many that nobody asks about.
    private List<MemorySlice> Windows(OldHeap? old)
    {
        var windows = new List<MemorySlice>();
        bool isOpen = false;
        foreach (MemoryMapping mapping in Mappings.Where(mapping => !mapping.IsOfKernel))
        {
            bool isAsked = IsOwn(mapping);
            if (isOpen && (isAsked || mapping.Length < BigFile || !mapping.IsReadable))
                windows[^1] = new(windows[^1].Start, (nuint)(mapping.End - windows[^1].Start));
            else if (isOpen = isAsked)
                windows.Add(new(mapping.Start, (nuint)mapping.Length));
        }
        if (old is null)
            return windows;
        MemoryMapping[] all = [.. Mappings];
        return [.. windows.SelectMany(old.Without).Where(window => !IsSmallPart(all, window))];
    }

    private static bool IsSmallPart(MemoryMapping[] all, MemorySlice window)
        => IsSmall(window) && AddressRanges.IndexOf<MemoryMapping>(all, window.Start) is >= 0 and var found && all[found] is { IsAnonymous: true } mapping
            && window.Start + window.Length <= mapping.End && window.Length < mapping.Length;

    // Between the segments of a heap there are a few pages each; to be asked takes as long as to copy them.
    private static bool IsSmall(MemorySlice part) => part.Length <= SmallPart;

    // Windows does not say which of the pages that a process has for itself it has used.
    private void Add(MemoryMapping mapping, MemorySlice part, PageMap? pages)
    {
        if (mapping.IsAnonymous && pages is not null)
        {
            Ranges.Add(part);
            if (part.Length < mapping.Length && IsSmall(part))
                Runs.Add(part);
            else
                pages.AddRuns(part, ownOnly: false, Runs);
            return;
        }
        int first = Runs.Count;
        // The pagemap shows pages touched through this mapping; the runtime writes its memory through another one.
        if (mapping.IsAnonymous || mapping.IsDoubleMapped || (mapping.IsFile && mapping.IsWritable))
            Runs.Add(part);
        else if (mapping.IsFile)
            pages?.AddRuns(part, ownOnly: true, Runs);
        Ranges.AddRange(Runs.Skip(first));
    }
}
