using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Reachability;

/// <summary>
/// The target's heap as marking needs it: every segment in one piece in this process (in place where a dump is mapped or a process was
/// copied, else copied here), found by any address in a few instructions.
/// </summary>
internal sealed unsafe class MarkHeap : IDisposable
{
    // A table of at most so many entries leads from an address to its segment; coreclr's regions are 4 MB.
    private const int TableSize = 1 << 20;
    private const int LeastShift = 22;
    private const ulong CopyLimit = 2UL << 30;

    // Its marks are one stretch of memory.
    private const ulong SegmentLimit = 16UL << 30;

    private readonly List<nint> _own = [];
    private readonly List<MarkSegment> _segments = [];
    private ulong[] _starts = [];

    private MarkHeap()
    {
    }

    public IReadOnlyList<MarkSegment> Segments => _segments;

    /// <summary>The same, for marking.</summary>
    public MarkTable Table { get; private set; }

    /// <summary>Bytes of all segments.</summary>
    public ulong Length { get; private set; }

    /// <summary>Null if the heap cannot be held here in whole.</summary>
    /// <param name="target">Its heap.</param>
    /// <param name="fault">Why not.</param>
    public static MarkHeap? Open(Target target, out string? fault)
    {
        var heap = new MarkHeap();
        try
        {
            fault = heap.AddAll(target);
        }
        catch (OutOfMemoryException)
        {
            fault = "there is not enough memory to mark its heap";
        }
        if (fault is null)
            return heap;
        heap.Dispose();
        return null;
    }

    private string? AddAll(Target target)
    {
        foreach (ClrSegment segment in target.Runtime.Heap.Segments.Where(segment => segment.Length > 0).OrderBy(segment => segment.Start))
        {
            if (Add(segment, target.Memory) is { } fault)
                return fault;
        }
        Index();
        return null;
    }

    /// <summary>The segment that an address is in; null for an address outside of the heap.</summary>
    public MarkSegment? Find(ulong address)
    {
        int found = Array.BinarySearch(_starts, address);
        int at = found >= 0 ? found : ~found - 1;
        return at >= 0 && address < _segments[at].End ? _segments[at] : null;
    }

    /// <summary>The address of an object that lies here.</summary>
    public ulong? AddressOf(byte* item)
    {
        foreach (MarkSegment segment in _segments)
        {
            if (item >= segment.Bytes && (ulong)(item - segment.Bytes) < segment.Length)
                return segment.Start + (ulong)(item - segment.Bytes);
        }
        return null;
    }

    /// <summary>The mark of an object; null for an address outside of the heap.</summary>
    public byte* MarkOf(ulong address)
    {
        ulong slot = Table.SlotOf(address);
        if (slot >= Table.Count)
            return null;
        MarkSlot* place = Table.Slots + slot;
        ulong offset = address - place->Start;
        if (offset < place->Length)
            return place->Marks + (offset >> MarkSegment.PlaceBits);
        return Find(address) is { } segment ? segment.MarkOf(address - segment.Start) : null;
    }

    /// <summary>Whether an object was reached.</summary>
    public bool IsReached(ulong address)
    {
        byte* mark = MarkOf(address);
        return mark is not null && (*mark & MarkSegment.Reached) != 0;
    }

    /// <summary>Whether all of some objects were reached.</summary>
    public bool AreReached(IReadOnlyList<ulong> addresses)
    {
        for (int i = 0; i < addresses.Count; i++)
        {
            if (!IsReached(addresses[i]))
                return false;
        }
        return true;
    }

    /// <summary>Sets a bit of an object's mark.</summary>
    public void Mark(ulong address, byte bit)
    {
        byte* mark = MarkOf(address);
        if (mark is not null)
            *mark |= bit;
    }

    /// <summary>Adds those objects that were reached and are held.</summary>
    /// <param name="items">Addresses.</param>
    /// <param name="release">They are held no longer, and the others neither.</param>
    /// <param name="found">Receives them.</param>
    public void AddHeld(ReadOnlySpan<ulong> items, bool release, List<ulong> found)
    {
        foreach (ulong item in items)
        {
            byte* mark = MarkOf(item);
            if (mark is null || (*mark & MarkSegment.Held) == 0)
                continue;
            if (release)
                *mark = (byte)(*mark & ~MarkSegment.Held);
            if ((*mark & MarkSegment.Reached) != 0)
                found.Add(item);
        }
    }

    /// <summary>What was reached until now, to come back to it.</summary>
    public byte[][] Copy() => [.. _segments.Select(segment => segment.Copy())];

    /// <summary>Comes back to what was reached.</summary>
    public void Restore(byte[][] kept)
    {
        for (int i = 0; i < kept.Length; i++)
            _segments[i].Restore(kept[i]);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (nint block in _own)
            NativeMemory.Free((void*)block);
        _own.Clear();
    }

    private string? Add(ClrSegment segment, TargetMemory memory)
    {
        ulong length = segment.End - segment.Start;
        if (segment.Start == 0 || segment.End < segment.Start || segment.Start % MarkSegment.Alignment != 0)
            return "the description of a segment of the heap is damaged";
        if (length > SegmentLimit)
            return "a segment of the heap is too long";
        ReadOnlySpan<byte> here = memory.Image is { } image ? image.From(segment.Start) : [];
        byte* bytes;
        if ((ulong)here.Length >= length)
        {
            bytes = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(here));
        }
        else
        {
            Length += length;
            if (Length > CopyLimit)
                return "the heap is too big to be searched in a target that is read piece by piece";
            bytes = Allocate((nuint)length);
            // What is missing stays zero: an object there would be found to be damaged.
            CopyBytes(memory, segment.Start, bytes, length);
        }
        _segments.Add(new(segment.Start, length, bytes, Allocate(MarkSegment.BytesOfMarks(length))));
        return null;
    }

    private static void CopyBytes(TargetMemory memory, ulong start, byte* bytes, ulong length)
    {
        const int blockSize = 1 << 20;
        const int pageSize = 4096;
        for (ulong done = 0; done < length;)
        {
            var block = new Span<byte>(bytes + done, (int)Math.Min(blockSize, length - done));
            int read = memory.Image is { } image ? image.Read(start + done, block) : memory.ReadUpTo(start + done, block);
            // A page without memory is left out.
            done += read == block.Length ? (ulong)read : (ulong)((read / pageSize * pageSize) + pageSize);
        }
    }

    private byte* Allocate(nuint bytes)
    {
        void* block = NativeMemory.AllocZeroed(bytes);
        _own.Add((nint)block);
        return (byte*)block;
    }

    private void Index()
    {
        _starts = [.. _segments.Select(segment => segment.Start)];
        if (_segments.Count == 0)
            return;
        ulong first = _segments[0].Start, span = _segments[^1].End - first;
        int shift = Math.Max(LeastShift, BitOperations.Log2(Math.Max(1, span / TableSize)) + 1);
        first &= ~((1UL << shift) - 1);
        ulong count = ((_segments[^1].End - 1 - first) >> shift) + 1;
        var slots = (MarkSlot*)Allocate((nuint)(count * (ulong)sizeof(MarkSlot)));
        foreach (MarkSegment segment in _segments)
        {
            for (ulong slot = (segment.Start - first) >> shift; slot <= (segment.End - 1 - first) >> shift; slot++)
                slots[slot] = slots[slot].Marks is null ? new() { Start = segment.Start, Length = segment.Length, Bytes = segment.Bytes, Marks = segment.Marks } : MarkSlot.Shared;
        }
        Table = new(first, shift, count, slots);
    }
}

/// <summary>What lies at some addresses that begin with the same bits: a segment, or a part of one.</summary>
internal unsafe struct MarkSlot
{
    /// <summary>Several segments: of no length, so that no address is in it, but not empty.</summary>
    public static MarkSlot Shared => new() { Marks = (byte*)1 };

    /// <summary>First address of the segment.</summary>
    public ulong Start;

    /// <summary>Its bytes; 0 where there is none, or several.</summary>
    public ulong Length;

    /// <summary>Where it lies here.</summary>
    public byte* Bytes;

    /// <summary>Its marks.</summary>
    public byte* Marks;
}

/// <summary>Leads from an address to its mark in a few instructions.</summary>
internal readonly unsafe struct MarkTable(ulong first, int shift, ulong count, MarkSlot* slots)
{
    /// <summary>How many slots there are.</summary>
    public readonly ulong Count = count;

    /// <summary>All of them.</summary>
    public readonly MarkSlot* Slots = slots;

    private readonly ulong _first = first;
    private readonly int _shift = shift;

    /// <summary>The number of an address's slot; too big outside of the heap.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong SlotOf(ulong address) => (address - _first) >> _shift;

    /// <summary>A slot with several segments.</summary>
    public static bool IsShared(in MarkSlot slot) => slot.Length == 0 && slot.Marks is not null;
}
