namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// Memory of the target inside this process: a mapped core file, or a copy of a live process. Read in place, by
/// any number of threads, without a system call.
/// </summary>
internal sealed unsafe class MemoryImage : IDisposable
{
    private const int PieceBits = 20;
    private const int Hints = 256;

    private readonly ImageRange[] _ranges;
    private readonly IDisposable _owner;
    // Of each piece of memory the range that was met there last: who follows pointers goes to and fro between a few.
    private readonly int[] _hints = new int[Hints];

    /// <param name="ranges">In any order. If two overlap, the later one in address order ends the earlier.</param>
    /// <param name="owner">Owns the bytes; disposed with the image.</param>
    public MemoryImage(IEnumerable<ImageRange> ranges, IDisposable owner)
    {
        var sound = new List<ImageRange>();
        bool isSorted = true;
        foreach (ImageRange range in ranges)
        {
            if (range.Length == 0 || range.Start > ulong.MaxValue - range.Length)
                continue;
            isSorted &= sound.Count == 0 || sound[^1].Start <= range.Start;
            sound.Add(range);
        }
        // Cores are in order: sorting would cost more than everything else here, because it has to be compiled.
        if (!isSorted)
            sound.Sort((a, b) => a.Start.CompareTo(b.Start));
        _ranges = sound.ToArray();
        for (int i = 0; i + 1 < _ranges.Length; i++)
            _ranges[i] = _ranges[i] with { Length = Math.Min(_ranges[i].Length, _ranges[i + 1].Start - _ranges[i].Start) };
        _owner = owner;
    }

    /// <summary>The memory from an address to the end of its range, at most 1 GB; empty if the address is not in the image.</summary>
    public ReadOnlySpan<byte> From(ulong address)
    {
        const ulong spanLimit = 1 << 30;
        if (Find(address) is not (>= 0 and var found))
            return [];
        ref readonly ImageRange range = ref _ranges[found];
        ulong offset = address - range.Start;
        return new((byte*)range.Data + offset, (int)Math.Min(range.Length - offset, spanLimit));
    }

    /// <summary>Where bytes of the target are in this process; null if the image has not all of them in one range.</summary>
    public byte* Find(ulong address, uint length)
    {
        int hint = _hints[(address >> PieceBits) & (Hints - 1)];
        if ((uint)hint >= (uint)_ranges.Length || address - _ranges[hint].Start >= _ranges[hint].Length)
            hint = Find(address);
        if (hint < 0)
            return null;
        ref readonly ImageRange range = ref _ranges[hint];
        ulong offset = address - range.Start;
        return range.Length - offset < length ? null : (byte*)range.Data + offset;
    }

    /// <summary>The range that contains an address; an empty one if it is not in the image.</summary>
    public ImageRange RangeOf(ulong address) => Find(address) is >= 0 and var found ? _ranges[found] : default;

    /// <summary>The first address above a given one at which a range begins; the highest address if there is none.</summary>
    public ulong NextFrom(ulong address) => AddressRanges.IndexBehind<ImageRange>(_ranges, address) is var next && next < _ranges.Length ? _ranges[next].Start : ulong.MaxValue;

    /// <summary>Reads up to the next gap; returns the number of bytes.</summary>
    public int Read(ulong address, Span<byte> buffer)
    {
        int total = 0;
        while (total < buffer.Length && address <= ulong.MaxValue - (ulong)total)
        {
            ReadOnlySpan<byte> here = From(address + (ulong)total);
            if (here.IsEmpty)
                break;
            int count = Math.Min(here.Length, buffer.Length - total);
            here[..count].CopyTo(buffer[total..]);
            total += count;
        }
        return total;
    }

    /// <inheritdoc/>
    public void Dispose() => _owner.Dispose();

    // The last hit is tried first: reads are local. Racing threads only overwrite each other's hint.
    private int Find(ulong address)
    {
        ref int hint = ref _hints[(address >> PieceBits) & (Hints - 1)];
        int last = hint;
        if (last < _ranges.Length && _ranges[last].Has(address))
            return last;
        return AddressRanges.IndexOf<ImageRange>(_ranges, address) is >= 0 and var found ? hint = found : -1;
    }
}

/// <summary>A range of the target's memory in this process.</summary>
/// <param name="Start">Its address in the target.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Data">Its address in this process.</param>
internal readonly record struct ImageRange(ulong Start, ulong Length, nint Data) : IAddressRange
{
    public ulong End => Start + Length;

    public bool Has(ulong address) => address >= Start && address - Start < Length;
}
