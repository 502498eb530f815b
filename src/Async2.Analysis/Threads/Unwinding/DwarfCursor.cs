using System.Buffers.Binary;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>Reads numbers of DWARF (DWARF 5, section 7.6, and the encodings of LSB 5, section 10.5) from bytes of a target. Past the end everything is 0, and <see cref="IsBroken"/> says so.</summary>
/// <param name="bytes">What is read.</param>
/// <param name="address">Where the first of them is in the target.</param>
internal ref struct DwarfCursor(ReadOnlySpan<byte> bytes, ulong address)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly ulong _address = address;
    private int _next;

    /// <summary>More was read than there is, or something that is not known.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Nothing is left, or nothing can be read any more.</summary>
    public readonly bool IsAtEnd => IsBroken || _next >= _bytes.Length;

    /// <summary>Where the next byte is in the target.</summary>
    public readonly ulong Address => _address + (ulong)_next;

    public byte Byte() => Take(1) is [var one] ? one : (byte)0;

    public ushort UInt16() => Take(sizeof(ushort)) is { Length: > 0 } taken ? BinaryPrimitives.ReadUInt16LittleEndian(taken) : (ushort)0;

    public uint UInt32() => Take(sizeof(uint)) is { Length: > 0 } taken ? BinaryPrimitives.ReadUInt32LittleEndian(taken) : 0;

    public ulong UInt64() => Take(sizeof(ulong)) is { Length: > 0 } taken ? BinaryPrimitives.ReadUInt64LittleEndian(taken) : 0;

    /// <summary>An unsigned number of as many bytes as it needs (LEB128).</summary>
    public ulong Unsigned() => Variable(out _, out _);

    /// <summary>A signed number of as many bytes as it needs (LEB128).</summary>
    public long Signed()
    {
        ulong value = Variable(out int bits, out bool isNegative);
        return (long)(isNegative && bits < 64 ? value | (ulong.MaxValue << bits) : value);
    }

    /// <summary>An address in one of the encodings that .eh_frame uses: a size, and what it counts from.</summary>
    /// <param name="encoding">DW_EH_PE_*.</param>
    /// <param name="table">What DW_EH_PE_datarel counts from.</param>
    public ulong Pointer(byte encoding, ulong table)
    {
        ulong own = Address;
        ulong value = (encoding & 0x0f) switch
        {
            0x00 or 0x04 or 0x0c => UInt64(),
            0x01 => Unsigned(),
            0x02 => UInt16(),
            0x03 => UInt32(),
            0x09 => (ulong)Signed(),
            0x0a => (ulong)(short)UInt16(),
            0x0b => (ulong)(int)UInt32(),
            _ => Broken(),
        };
        return (encoding & 0x70) switch
        {
            0x00 => value,
            0x10 => own + value,
            0x30 => table + value,
            _ => Broken(),
        };
    }

    /// <summary>As many bytes; none if there are fewer.</summary>
    public ReadOnlySpan<byte> Take(ulong count)
    {
        if (IsBroken || count > (ulong)(_bytes.Length - _next))
        {
            IsBroken = true;
            return [];
        }
        ReadOnlySpan<byte> taken = _bytes.Slice(_next, (int)count);
        _next += (int)count;
        return taken;
    }

    private ulong Broken()
    {
        IsBroken = true;
        return 0;
    }

    private ulong Variable(out int bits, out bool isNegative)
    {
        ulong value = 0;
        bits = 0;
        while (true)
        {
            byte part = Byte();
            if (bits < 64)
                value |= (ulong)(part & 0x7f) << bits;
            bits += 7;
            isNegative = (part & 0x40) != 0;
            if ((part & 0x80) == 0)
                return value;
        }
    }
}
