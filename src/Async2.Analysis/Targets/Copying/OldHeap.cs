using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// The old part of a big heap, of which only pages are copied that async code needs. As long as no collection puts objects into it, or moves
/// them, it has the objects that were found in it while the process ran, at the same places. What else is asked of it later is read from
/// the process, and counts only if it is as it was before the process was stopped.
/// </summary>
internal sealed class OldHeap
{
    // Up to so much, whole pages are copied: what is beside an async object is asked for, too, and changes with it. Above, what async objects alone have.
    private const ulong MostInPages = 16 << 20;

    // What is read beside an object: the word before it, for a lock, and as much behind it as a fixed number of bytes reaches.
    private const ulong Beside = 256;

    private readonly OldSegment[] _segments;
    private readonly HashSet<ulong> _asked = [], _changed = [];

    /// <param name="segments">In any order; none overlap.</param>
    /// <param name="pages">More pages to copy, by their first address.</param>
    /// <param name="mostInPages">If it is not more than so many bytes, whole pages are copied.</param>
    public OldHeap(IEnumerable<OldSegment> segments, IReadOnlyCollection<ulong> pages, ulong mostInPages = MostInPages)
    {
        _segments = [.. segments.OrderBy(segment => segment.Start)];
        // Whatever other pages there are: a next copy with more of them lacks nothing that the one before had.
        Runs = MakeRuns(PageMap.PageSize, []);
        Runs = MakeRuns(Copied > mostInPages ? Beside : PageMap.PageSize, pages);
    }

    /// <summary>What is copied of it, by address.</summary>
    public IReadOnlyList<MemorySlice> Runs { get; }

    /// <summary>Bytes of it that are copied.</summary>
    public ulong Copied => Runs.Aggregate(0ul, (sum, run) => sum + run.Length);

    /// <summary>Objects in it, of any kind.</summary>
    public long Objects => _segments.Sum(segment => segment.Objects);

    /// <summary>Segments in which objects were looked for.</summary>
    public IEnumerable<OldSegment> Segments => _segments.Where(segment => segment.FirstObject != 0);

    /// <summary>Pages that were asked for, and not copied.</summary>
    public IReadOnlyCollection<ulong> Asked => _asked;

    /// <summary>Those of them that had changed meanwhile: a next copy should have them.</summary>
    public IReadOnlyCollection<ulong> Changed => _changed;

    /// <summary>There was another copy before this one, which lacked pages that this one has.</summary>
    public bool IsRepeated { get; set; }

    /// <summary>There will be no next copy: what has changed is not read at all.</summary>
    public bool IsFinal { get; set; }

    /// <summary>Somebody had to do without a search of all objects.</summary>
    public bool WasSearchMissed { get; set; }

    /// <summary>The segment that an address is in; null for memory that is copied as a whole.</summary>
    public OldSegment? Find(ulong address) => AddressRanges.IndexOf<OldSegment>(_segments, address) is >= 0 and var found ? _segments[found] : null;

    /// <summary>What is left of a range of memory without this.</summary>
    public IEnumerable<MemorySlice> Without(MemorySlice range)
    {
        ulong at = range.Start, end = range.Start + range.Length;
        for (int i = Math.Max(0, AddressRanges.IndexBehind<OldSegment>(_segments, at) - 1); i < _segments.Length && _segments[i].Start < end; i++)
        {
            if (_segments[i].End <= at)
                continue;
            if (_segments[i].Start > at)
                yield return new(at, (nuint)(_segments[i].Start - at));
            at = _segments[i].End;
        }
        if (at < end)
            yield return new(at, (nuint)(end - at));
    }

    /// <summary>Whether nothing has come into it or left it since it was looked through.</summary>
    public bool IsAsOf(Collections now) => Array.TrueForAll(_segments, segment => now.LeftOldAsIn(segment.SeenAt));

    /// <summary>Whether a page may be used; notes that it was asked for.</summary>
    /// <param name="page">Its first address.</param>
    /// <param name="isSame">It is as it was.</param>
    public bool MayUse(ulong page, bool isSame)
    {
        _asked.Add(page);
        if (isSame)
            return true;
        _changed.Add(page);
        return !IsFinal;
    }

    private List<MemorySlice> MakeRuns(ulong unit, IReadOnlyCollection<ulong> more)
    {
        var runs = new List<MemorySlice>();
        ulong[] pages = [.. more.Where(page => Find(page) is not null).Order()];
        int next = 0;
        foreach (OldSegment segment in _segments)
        {
            foreach (MemorySlice part in segment.Parts)
            {
                ulong start = Math.Max(segment.Start, (part.Start - sizeof(ulong)) & ~(unit - 1)), end = Math.Min(segment.End, (part.Start + part.Length + Beside + unit - 1) & ~(unit - 1));
                for (; next < pages.Length && pages[next] <= start; next++)
                    Add(runs, pages[next], pages[next] + PageMap.PageSize);
                if (start < end)
                    Add(runs, start, end);
            }
        }
        for (; next < pages.Length; next++)
            Add(runs, pages[next], pages[next] + PageMap.PageSize);
        return runs;
    }

    // By address: what begins in the last one lengthens it.
    private static void Add(List<MemorySlice> runs, ulong start, ulong end)
    {
        if (runs.Count > 0 && runs[^1] is var last && start <= last.Start + last.Length)
            runs[^1] = new(last.Start, (nuint)(Math.Max(end, last.Start + last.Length) - last.Start));
        else
            runs.Add(new(start, (nuint)(end - start)));
    }
}

/// <summary>A segment of the old part of a heap, or memory of the collector's own about it.</summary>
/// <param name="Start">First address; the beginning of a page.</param>
/// <param name="End">Behind the last; the end of a page.</param>
/// <param name="SeenAt">How often garbage had been collected when it was looked through.</param>
internal sealed record OldSegment(ulong Start, ulong End, Collections SeenAt) : IAddressRange
{
    /// <summary>Where objects begin; 0 if none are looked for here.</summary>
    public ulong FirstObject { get; init; }

    /// <summary>Where objects end.</summary>
    public ulong LastObject { get; init; }

    /// <summary>Stretches with async objects, by address, from an object to the end of one.</summary>
    public IReadOnlyList<MemorySlice> Parts { get; init; } = [];

    /// <summary>Stretches with free objects, in which a collection may put others.</summary>
    public IReadOnlyList<MemorySlice> Free { get; init; } = [];

    /// <summary>Objects of any kind.</summary>
    public long Objects { get; init; }

    /// <summary>A number for the content of each page (<see cref="PageFingerprint"/>); none where it is not known.</summary>
    public ulong[] Fingerprints { get; init; } = [];

    /// <summary>Whether a page is as it was.</summary>
    /// <param name="page">Its first address.</param>
    /// <param name="bytes">What is in it now.</param>
    public bool IsSame(ulong page, ReadOnlySpan<byte> bytes)
        => (page - Start) / PageMap.PageSize is var number && number < (ulong)Fingerprints.Length && Fingerprints[number] == PageFingerprint.Of(bytes);
}
