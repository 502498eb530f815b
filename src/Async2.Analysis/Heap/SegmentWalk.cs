using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>
/// Walks segments of the heap from object to object over their raw bytes. Nothing is made for an object that is not async: its
/// method table is looked up, its size is added, and that is all. One for each thread.
/// </summary>
internal sealed class SegmentWalk(TargetMemory memory, HeapTypes types, AsyncObjectReader objects, HeapGaps gaps, CancellationToken cancellation)
{
    private const int CacheBits = 11;
    private const ulong MarkBits = 7;

    // Fibonacci hashing: method tables lie close together.
    private const ulong HashFactor = 0x9E3779B97F4A7C15;

    private readonly HeapType[] _cache = NewCache();
    private readonly HeapWindow _window = new(memory);
    private readonly uint _pointerSize = (uint)memory.PointerSize;
    private long _objects;

    public HeapWindow Window => _window;

    /// <summary>Bytes of the smallest object.</summary>
    public ulong LeastObject => 3 * (ulong)_pointerSize;

    /// <summary>Walks a segment, or the parts of it that are walked; each to its end, or to the first object that is invalid.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="walked">Told now and then how many bytes and objects are done since the last time; null for nobody.</param>
    public SegmentRows Run(HeapRange segment, Action<ulong, long>? walked = null)
    {
        if (segment.Parts is not { } parts)
            return Run(segment.Start, segment.End, walked);
        var broken = new List<HeapRange>();
        _objects = 0;
        foreach (MemorySlice part in parts)
        {
            ulong end = part.Start + part.Length, reached = Pass(part.Start, end, null);
            if (reached < end)
                broken.Add(new(reached, end));
        }
        walked?.Invoke(segment.Walked, _objects);
        return objects.Finish() with { FirstAddress = segment.Start, End = segment.End, Objects = _objects, Broken = broken };
    }

    /// <summary>Walks from an object to the end, or to the first one that is invalid.</summary>
    /// <param name="start">The object.</param>
    /// <param name="end">The end.</param>
    /// <param name="walked">Told now and then how many bytes and objects are done since the last time; null for nobody.</param>
    public SegmentRows Run(ulong start, ulong end, Action<ulong, long>? walked = null)
    {
        _objects = 0;
        ulong reached = Pass(start, end, walked);
        return objects.Finish() with { FirstAddress = start, End = reached, Objects = _objects, Broken = reached < end ? [new(reached, end)] : [] };
    }

    private ulong Pass(ulong start, ulong end, Action<ulong, long>? walked)
    {
        long told = 0;
        ulong at = start;
        while (at < end && !cancellation.IsCancellationRequested)
        {
            ulong stop = gaps.EndOfObjects(at, end);
            ulong reached = stop > at ? Walk(_window.From(at, stop), at, stop) : gaps.Skip(at, end);
            if (reached == at)
                break;
            walked?.Invoke(reached - at, _objects - told);
            (at, told) = (reached, _objects);
        }
        return at;
    }

    /// <summary>Whether an object of a type that has been met lies at an address, and where it ends.</summary>
    public bool IsLikelyObject(ulong address, ulong end, out ulong next)
    {
        ReadOnlySpan<byte> bytes = _window.From(address, Math.Min(end, address + HeapWindow.Least));
        next = 0;
        if (bytes.Length < 3 * (int)_pointerSize || !types.TryGetKnown(Pointer(bytes) & ~MarkBits, out HeapType type))
            return false;
        ulong size = type.SizeOf(type.ComponentSize == 0 ? 0 : Length(bytes), _pointerSize);
        next = address + size;
        return size <= end - address;
    }

    /// <summary>Whether a part of the heap without objects begins at an address.</summary>
    public bool IsGap(ulong address) => gaps.Skip(address, ulong.MaxValue) != address;

    /// <summary>The first part without objects from an address on, or an end.</summary>
    public ulong EndOfObjects(ulong address, ulong end) => gaps.EndOfObjects(address, end);

    /// <summary>Where the part without objects ends that begins at an address.</summary>
    public ulong EndOfGap(ulong gap, ulong end) => gaps.Skip(gap, end);

    // An empty slot has an impossible method table, not 0, because 0 is read where there is no object.
    private static HeapType[] NewCache()
    {
        var cache = new HeapType[1 << CacheBits];
        Array.Fill(cache, new HeapType(ulong.MaxValue, 0, 0, AsyncTypeKind.Other, false));
        return cache;
    }

    // Returns the address of the first object that was not taken: beyond the bytes, in a gap, or damaged.
    private ulong Walk(ReadOnlySpan<byte> bytes, ulong address, ulong end)
    {
        ref byte first = ref MemoryMarshal.GetReference(bytes);
        ulong position = 0, room = end - address, count = 0;
        // An object near the end of the bytes is left to the next call, unless these are the last ones.
        ulong least = (ulong)bytes.Length == room ? 3 * _pointerSize : HeapWindow.Least;
        ulong last = (ulong)bytes.Length < least ? 0 : (ulong)bytes.Length - least + 1;
        for (; position < last; count++)
        {
            ref byte item = ref Unsafe.Add(ref first, (nint)position);
            ulong methodTable = (_pointerSize == 8 ? Unsafe.ReadUnaligned<ulong>(ref item) : Unsafe.ReadUnaligned<uint>(ref item)) & ~MarkBits;
            ref HeapType type = ref _cache[(methodTable * HashFactor) >> (64 - CacheBits)];
            if (type.MethodTable != methodTable && !LookUp(methodTable, ref type))
                break;
            uint components = type.ComponentSize == 0 ? 0 : Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref item, _pointerSize));
            ulong size = type.SizeOf(components, _pointerSize);
            if (size > room - position)
                break;
            if (!type.IsPlain)
                objects.Take(address + position, bytes[(int)position..], type);
            position += size;
        }
        _objects += (long)count;
        return address + position;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool LookUp(ulong methodTable, ref HeapType slot)
    {
        if (methodTable == 0 || !types.TryGet(methodTable, out HeapType type))
            return false;
        slot = type;
        return true;
    }

    private uint Length(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[(int)_pointerSize..]);

    private ulong Pointer(ReadOnlySpan<byte> bytes) => TargetMemory.PointerIn(bytes, (int)_pointerSize);
}
