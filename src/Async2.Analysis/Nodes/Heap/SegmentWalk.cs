using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes.Heap;

/// <summary>
/// Walks segments of the heap from object to object over their raw bytes. Nothing is made for an object that is not async: its
/// method table is looked up, its size is added, and that is all. One for each thread.
/// </summary>
internal sealed class SegmentWalk(TargetMemory memory, HeapTypes types, SiteTable sites, HeapGaps gaps, CancellationToken cancellation)
{
    private const int CacheBits = 11;
    private const ulong MarkBits = 7;

    // Fibonacci hashing: method tables lie close together.
    private const ulong HashFactor = 0x9E3779B97F4A7C15;

    private readonly HeapType[] _cache = new HeapType[1 << CacheBits];
    private readonly SiteCache _sites = new(sites);
    private readonly HeapWindow _window = new(memory);
    private readonly uint _pointerSize = (uint)memory.PointerSize;
    private Column<ulong> _continuations = new();
    private Column<ulong> _next = new();
    private Column<int> _siteIds = new();
    private Column<PendingObject> _pending = new();
    private Column<ulong> _resources = new();
    private Column<ulong> _cut = new();
    private long _objects;
    private long _nameless;

    public HeapWindow Window => _window;

    /// <summary>Walks from an object to the end, or to the first one that makes no sense.</summary>
    public SegmentRows Run(ulong start, ulong end)
    {
        _objects = _nameless = 0;
        ulong at = start;
        while (at < end && !cancellation.IsCancellationRequested)
        {
            ulong stop = gaps.EndOfObjects(at, end);
            ulong reached = stop > at ? Walk(_window.From(at, stop), at, stop) : gaps.Skip(at, end);
            if (reached == at)
                break;
            at = reached;
        }
        return new SegmentRows
        {
            FirstAddress = start,
            Continuations = _continuations.Take(),
            Next = _next.Take(),
            Sites = _siteIds.Take(),
            Pending = _pending.Take(),
            Resources = _resources.Take(),
            Cut = _cut.Take(),
            Objects = _objects,
            Nameless = _nameless,
            End = at,
        };
    }

    /// <summary>Whether an object of a type that has been met lies at an address, and where it ends.</summary>
    public bool LooksLikeObject(ulong address, ulong end, out ulong next)
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

    // Returns the address of the first object that was not taken: beyond the bytes, in a gap, or damaged.
    private ulong Walk(ReadOnlySpan<byte> bytes, ulong address, ulong end)
    {
        ref byte first = ref MemoryMarshal.GetReference(bytes);
        ulong position = 0, room = end - address, objects = 0;
        // An object near the end of the bytes is left to the next call, unless these are the last ones.
        ulong least = (ulong)bytes.Length == room ? 3 * _pointerSize : HeapWindow.Least;
        ulong last = (ulong)bytes.Length < least ? 0 : (ulong)bytes.Length - least + 1;
        for (; position < last; objects++)
        {
            ref byte item = ref Unsafe.Add(ref first, (nint)position);
            ulong methodTable = (_pointerSize == 8 ? Unsafe.ReadUnaligned<ulong>(ref item) : Unsafe.ReadUnaligned<uint>(ref item)) & ~MarkBits;
            ref HeapType type = ref _cache[(methodTable * HashFactor) >> (64 - CacheBits)];
            if (type.MethodTable != methodTable && !Meet(methodTable, ref type))
                break;
            uint components = type.ComponentSize == 0 ? 0 : Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref item, _pointerSize));
            ulong size = type.SizeOf(components, _pointerSize);
            if (size > room - position)
                break;
            if (!type.IsPlain)
                Take(address + position, bytes[(int)position..], type);
            position += size;
        }
        _objects += (long)objects;
        return address + position;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Meet(ulong methodTable, ref HeapType slot)
    {
        if (methodTable == 0 || !types.TryGet(methodTable, out HeapType type))
            return false;
        slot = type;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Take(ulong address, ReadOnlySpan<byte> bytes, in HeapType type)
    {
        switch (type.Kind)
        {
            case AsyncTypeKind.Other:
                _resources.Add(address);
                break;
            case AsyncTypeKind.Nameless:
                _nameless++;
                break;
            case AsyncTypeKind.Continuation:
                TakeContinuation(address, bytes);
                break;
            case AsyncTypeKind.PooledBox:
                _pending.Add(new(address, type.MethodTable, 0, 0, type.Kind));
                break;
            default:
                TakeTask(address, bytes, type);
                break;
        }
    }

    private void TakeContinuation(ulong address, ReadOnlySpan<byte> bytes)
    {
        if (types.Continuation is not { } fields)
            return;
        if (bytes.Length < fields.Size)
        {
            _cut.Add(address);
            return;
        }
        _continuations.Add(address);
        _next.Add(fields.Next(bytes));
        _siteIds.Add(_sites.IdOf(fields.Resume(bytes), fields.State(bytes)));
    }

    private void TakeTask(ulong address, ReadOnlySpan<byte> bytes, in HeapType type)
    {
        if (types.Task is not { } fields)
            return;
        if (bytes.Length < fields.Size)
        {
            _cut.Add(address);
            return;
        }
        if (TaskLayout.IsCompleted(BinaryPrimitives.ReadUInt32LittleEndian(bytes[fields.StateFlags..])))
            return;
        ulong awaiter = Pointer(bytes[fields.ContinuationObject..]);
        // A plain task is of interest only to those who wait for it.
        if (awaiter != 0 || type.Kind != AsyncTypeKind.Task)
            _pending.Add(new(address, type.MethodTable, Pointer(bytes[fields.StateObject..]), awaiter, type.Kind));
    }

    private uint Length(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[(int)_pointerSize..]);

    private ulong Pointer(ReadOnlySpan<byte> bytes)
        => _pointerSize == 8 ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);
}
