using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Surveys;

/// <summary>
/// Goes over the old part of a heap while the process runs, from object to object, and notes where async objects and free ones are, and a number
/// for the content of each page. One for each thread.
/// </summary>
/// <param name="memory">The process.</param>
/// <param name="types">Its types.</param>
/// <param name="reader">Knows where the state of a task is.</param>
/// <param name="kept">Which completed tasks matter.</param>
internal sealed class SurveyWalk(LiveMemory memory, HeapTypes types, HeapTypeReader reader, SurveyKinds kept)
{
    private const int BlockSize = 2 * 1024 * 1024;
    private const int PageSize = (int)PageMap.PageSize;
    private const ulong PageMask = ~(PageMap.PageSize - 1);
    private const ulong MarkBits = 7;
    private const uint PointerSize = sizeof(ulong);
    private const int LeastObject = 3 * (int)PointerSize;
    private const ulong MostBetween = 512;
    private const int CacheBits = 11;
    private const ulong HashFactor = 0x9E3779B97F4A7C15;

    // An object that begins in a block is seen with a page more: no async object's fields are cut in two.
    private readonly byte[] _block = GC.AllocateUninitializedArray<byte>(BlockSize + PageSize, pinned: true);
    private readonly HeapType[] _cache = new HeapType[1 << CacheBits];
    private readonly List<MemorySlice> _async = [], _free = [];
    private long _objects;

    /// <summary>Goes over a whole segment.</summary>
    /// <param name="start">The first object.</param>
    /// <param name="end">Where objects end.</param>
    /// <param name="seenAt">How often garbage had been collected.</param>
    /// <returns>Null if something in it is not an object.</returns>
    public OldSegment? All(ulong start, ulong end, in Collections seenAt)
    {
        (ulong first, ulong last) = (start & PageMask, end & PageMask);
        ulong[] fingerprints = new ulong[(last - first) / PageMap.PageSize];
        Begin();
        return Pass(start, end, first, fingerprints)
            ? new(first, last, seenAt) { FirstObject = start, LastObject = end, Parts = Joined(_async), Free = Joined(_free), Objects = _objects, Fingerprints = fingerprints }
            : null;
    }

    /// <summary>The same of a segment that is known, after collections that may have put objects where there were none.</summary>
    /// <param name="known">What is known.</param>
    /// <param name="end">Where objects end now.</param>
    /// <param name="seenAt">How often garbage had been collected.</param>
    public OldSegment? Again(OldSegment known, ulong end, in Collections seenAt)
    {
        if (end < known.LastObject)
            return null;
        ulong last = end & PageMask;
        ulong[] fingerprints = known.Fingerprints;
        Array.Resize(ref fingerprints, (int)((last - known.Start) / PageMap.PageSize));
        Begin();
        IEnumerable<MemorySlice> pieces = end > known.LastObject ? known.Free.Append(new(known.LastObject, (nuint)(end - known.LastObject))) : known.Free;
        foreach (MemorySlice piece in pieces)
        {
            if (!Pass(piece.Start, piece.Start + piece.Length, known.Start, fingerprints))
                return null;
        }
        return known with { End = last, LastObject = end, SeenAt = seenAt, Parts = Joined([.. known.Parts, .. _async]), Free = Joined(_free), Fingerprints = fingerprints };
    }

    /// <summary>Async objects among those of at least 85,000 bytes, which are gone over without their content.</summary>
    /// <param name="start">The first object.</param>
    /// <param name="end">Where objects end; the last may just be made.</param>
    /// <param name="segment">Receives what is found.</param>
    public OldSegment Large(ulong start, ulong end, OldSegment segment)
    {
        Begin();
        Span<byte> head = stackalloc byte[LeastObject];
        for (ulong at = start; at < end && memory.Read(at, head) == head.Length && SizeAt(head, out HeapType type) is > 0 and var size && size <= end - at; at += size)
        {
            if (!type.IsPlain)
                _async.Add(new(at, (nuint)size));
            _objects++;
        }
        return segment with { Parts = Joined(_async), Objects = _objects };
    }

    private void Begin()
    {
        _async.Clear();
        _free.Clear();
        _objects = 0;
    }

    private bool Pass(ulong start, ulong end, ulong first, ulong[] fingerprints)
    {
        ulong at = start, last = (end + PageMap.PageSize - 1) & PageMask;
        for (ulong block = start & PageMask; block < last; block += BlockSize)
        {
            int wanted = (int)Math.Min(BlockSize, last - block), length = memory.Read(block, _block.AsSpan(0, (int)Math.Min(BlockSize + PageSize, last - block)));
            if (length < wanted)
                return false;
            for (int offset = 0; offset < wanted; offset += PageSize)
            {
                if ((block + (ulong)offset - first) / PageMap.PageSize is var page && page < (ulong)fingerprints.Length)
                    fingerprints[page] = PageFingerprint.Of(_block.AsSpan(offset, PageSize));
            }
            if (!Objects(_block.AsSpan(0, length), block, Math.Min(block + BlockSize, end), end, ref at))
                return false;
        }
        return at == end;
    }

    // Those that begin before a limit.
    private bool Objects(ReadOnlySpan<byte> bytes, ulong block, ulong limit, ulong end, ref ulong at)
    {
        while (at < limit)
        {
            ReadOnlySpan<byte> item = bytes[(int)(at - block)..];
            if (item.Length < LeastObject || SizeAt(item, out HeapType type) is not (> 0 and var size) || size > end - at)
                return false;
            if (type.MethodTable == kept.Free)
                Add(_free, at, size);
            else if (!type.IsPlain && !IsOver(item, type))
                Add(_async, at, size);
            at += size;
            _objects++;
        }
        return true;
    }

    // A task that has completed never does anything again.
    private bool IsOver(ReadOnlySpan<byte> item, in HeapType type)
        => !kept.Completed && type.Kind is AsyncTypeKind.Task or AsyncTypeKind.ChainTask or AsyncTypeKind.StateMachineBox or AsyncTypeKind.AllCombinator or AsyncTypeKind.AnyCombinator
            && reader.Task is { } fields && item.Length >= fields.Size && TaskLayout.IsCompleted(BinaryPrimitives.ReadUInt32LittleEndian(item[fields.StateFlags..]));

    private ulong SizeAt(ReadOnlySpan<byte> item, out HeapType type)
    {
        ulong methodTable = MemoryMarshal.Read<ulong>(item) & ~MarkBits;
        ref HeapType known = ref _cache[(methodTable * HashFactor) >> (64 - CacheBits)];
        if (known.MethodTable != methodTable || methodTable == 0)
        {
            if (methodTable == 0 || !types.TryGet(methodTable, out HeapType found))
            {
                type = default;
                return 0;
            }
            known = found;
        }
        type = known;
        return type.SizeOf(type.ComponentSize == 0 ? 0 : MemoryMarshal.Read<uint>(item[(int)PointerSize..]), PointerSize);
    }

    // With what lies between, which costs less to copy than to leave out: of a suspended method it is mostly its variables.
    private static void Add(List<MemorySlice> found, ulong start, ulong size)
    {
        if (found.Count > 0 && found[^1] is var last && start <= last.Start + last.Length + MostBetween)
            found[^1] = new(last.Start, (nuint)(Math.Max(start + size, last.Start + last.Length) - last.Start));
        else
            found.Add(new(start, (nuint)size));
    }

    private static MemorySlice[] Joined(List<MemorySlice> found)
    {
        found.Sort((a, b) => a.Start.CompareTo(b.Start));
        var joined = new List<MemorySlice>(found.Count);
        foreach (MemorySlice part in found)
            Add(joined, part.Start, part.Length);
        return [.. joined];
    }
}

/// <summary>What a survey has to know of its process.</summary>
/// <param name="Free">Method table of free objects.</param>
/// <param name="Completed">Completed tasks matter, too.</param>
internal sealed record SurveyKinds(ulong Free, bool Completed);
