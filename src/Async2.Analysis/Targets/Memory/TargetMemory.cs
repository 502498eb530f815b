using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// Reads the target's memory: every read says whether it got all bytes, and no length or address
/// from the target is trusted. Small reads go through a page cache, because one system call or stream seek for each of a
/// million fields would dominate an analysis. One thread at a time.
/// </summary>
internal sealed unsafe class TargetMemory
{
    private const int UsualPageBits = 14;
    private const int CacheBits = 25;

    /// <summary>A system page, for readers whose cost depends on the bytes: the data is spread out.</summary>
    public const int SmallPageBits = 12;

    private readonly IMemoryReader _reader;
    private readonly MemoryImage? _image;
    private readonly int _pageBits;
    private readonly byte[]?[] _pages;
    private readonly ulong[] _pageNumbers;
    private readonly int[] _pageLengths;

    /// <param name="reader">Reads all memory.</param>
    /// <param name="image">Memory that is already in this process; null for none.</param>
    /// <param name="pageBits">Size of a page of the cache, as a power of two.</param>
    public TargetMemory(IMemoryReader reader, MemoryImage? image = null, int pageBits = UsualPageBits)
    {
        _reader = reader;
        _image = image;
        _pageBits = pageBits;
        PointerSize = reader.PointerSize;
        int slots = 1 << (CacheBits - pageBits);
        _pages = new byte[]?[slots];
        _pageNumbers = new ulong[slots];
        _pageLengths = new int[slots];
        Array.Fill(_pageNumbers, ulong.MaxValue);
    }

    /// <summary>The same memory for workers: what is not in this process is read on the caller's thread. Only uncached reads may run in parallel.</summary>
    public TargetMemory Through(CallerThread caller) => new(new CallerThreadReader(_reader, caller), _image);

    /// <summary>Memory that is already in this process; null for none.</summary>
    public MemoryImage? Image => _image;

    /// <summary>Pointer size of the target, in bytes: 4 or 8.</summary>
    public int PointerSize { get; }

    /// <summary>Fills the whole buffer, or returns false.</summary>
    public bool TryRead(ulong address, Span<byte> buffer)
    {
        if (_image is not null && _image.From(address) is { } here && here.Length >= buffer.Length)
        {
            here[..buffer.Length].CopyTo(buffer);
            return true;
        }
        while (!buffer.IsEmpty)
        {
            ReadOnlySpan<byte> page = Page(address >> _pageBits);
            int offset = (int)address & ((1 << _pageBits) - 1);
            int count = Math.Min(buffer.Length, page.Length - offset);
            // A page of the cache covers several of the target's: after a hole there may be memory again.
            if (count <= 0)
                return ReadUpTo(address, buffer) == buffer.Length;
            page.Slice(offset, count).CopyTo(buffer);
            buffer = buffer[count..];
            if (!buffer.IsEmpty && address > ulong.MaxValue - (ulong)count)
                return false;
            address += (ulong)count;
        }
        return true;
    }

    /// <summary>Reads a pointer-sized value.</summary>
    public bool TryReadPointer(ulong address, out ulong value)
    {
        // Millions of pointers are read: without a copy where that can be.
        if (_image is not null && _image.Find(address, (uint)PointerSize) is var here && here != null)
        {
            value = PointerSize == sizeof(ulong) ? Unsafe.ReadUnaligned<ulong>(here) : Unsafe.ReadUnaligned<uint>(here);
            return true;
        }
        Span<byte> buffer = stackalloc byte[8];
        Span<byte> used = buffer[..PointerSize];
        bool read = TryRead(address, used);
        value = read ? PointerIn(used, PointerSize) : 0;
        return read;
    }

    /// <summary>Bytes where they lie in this process; empty if they do not lie here in one piece.</summary>
    public ReadOnlySpan<byte> InPlace(ulong address, uint length)
        => _image is not null && _image.Find(address, length) is var here && here != null ? new(here, (int)length) : [];

    /// <summary>Begins to load a place into the processor's cache that will be read soon. Does nothing for memory that has to be copied first.</summary>
    public void Prefetch(ulong address)
    {
        if (Sse.IsSupported && _image is not null && address != 0 && _image.Find(address, (uint)PointerSize) is var here && here != null)
            Sse.Prefetch0(here);
    }

    /// <summary>The pointer at the beginning of bytes of a target.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="pointerSize">Of the target: 4 or 8.</param>
    public static ulong PointerIn(ReadOnlySpan<byte> bytes, int pointerSize)
        => pointerSize == 8 ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);

    /// <summary>Reads a 32-bit value.</summary>
    public bool TryReadUInt32(ulong address, out uint value)
    {
        if (_image is not null && _image.Find(address, sizeof(uint)) is var here && here != null)
        {
            value = Unsafe.ReadUnaligned<uint>(here);
            return true;
        }
        Span<byte> buffer = stackalloc byte[4];
        bool read = TryRead(address, buffer);
        value = read ? BinaryPrimitives.ReadUInt32LittleEndian(buffer) : 0;
        return read;
    }

    /// <summary>Reads a 16-bit value.</summary>
    public bool TryReadUInt16(ulong address, out ushort value)
    {
        Span<byte> buffer = stackalloc byte[2];
        bool read = TryRead(address, buffer);
        value = read ? BinaryPrimitives.ReadUInt16LittleEndian(buffer) : (ushort)0;
        return read;
    }

    /// <summary>
    /// Reads a block of a length from the target, without the cache. Null if the length is impossible or a byte is missing.
    /// </summary>
    /// <param name="address">First byte.</param>
    /// <param name="length">Bytes, from the target.</param>
    /// <param name="limit">The maximum plausible length of this kind of block.</param>
    public byte[]? TryReadBlock(ulong address, ulong length, int limit)
    {
        if (address == 0 || length > (ulong)limit)
            return null;
        byte[] block = new byte[(int)length];
        return ReadUpTo(address, block) == block.Length ? block : null;
    }

    /// <summary>Reads as many bytes as possible, without the cache; returns their number.</summary>
    public int ReadUpTo(ulong address, Span<byte> buffer)
    {
        int total = 0;
        // The last address is an end, too: after it addresses would wrap around to 0.
        while (total < buffer.Length && address <= ulong.MaxValue - (ulong)total)
        {
            // ClrMD's readers may stop at a segment's end and continue at the next call.
            int count = ReadOnce(address + (ulong)total, buffer[total..]);
            if (count <= 0)
                break;
            total += count;
        }
        return total;
    }

    /// <summary>Reads again what is asked for next.</summary>
    public void Forget() => Array.Fill(_pageNumbers, ulong.MaxValue);

    private ReadOnlySpan<byte> Page(ulong number)
    {
        int slot = (int)(number % (ulong)_pages.Length);
        byte[] page = _pages[slot] ??= new byte[1 << _pageBits];
        if (_pageNumbers[slot] != number)
        {
            _pageLengths[slot] = ReadUpTo(number << _pageBits, page);
            _pageNumbers[slot] = number;
        }
        return page.AsSpan(0, _pageLengths[slot]);
    }

    private int ReadOnce(ulong address, Span<byte> buffer)
    {
        try
        {
            return _reader.Read(address, buffer);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or ArgumentException or OverflowException)
        {
            // The process has ended, or a corrupt dump has no memory for the address: unreadable in both cases.
            return 0;
        }
    }
}
