namespace Async2.Analysis.Code.DebugInfo;

/// <summary>
/// Reader of the JIT's nibble-coded numbers (coreclr, src/coreclr/inc/nibblestream.h): four bits each, low nibble of a byte
/// first; the top bit says that another nibble follows, the other three are value, most significant first.
/// </summary>
internal ref struct NibbleReader(ReadOnlySpan<byte> bytes)
{
    private const int LongestNumber = 11;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private int _nibble;

    /// <summary>False once a number exceeded the bytes.</summary>
    public bool IsValid { get; private set; } = true;

    /// <summary>First whole byte after the data read.</summary>
    public readonly int ByteIndex => (_nibble + 1) / 2;

    /// <summary>A signed number: the sign is its lowest bit.</summary>
    public int ReadInt32()
    {
        uint value = ReadUInt32();
        return (value & 1) != 0 ? -(int)(value >> 1) : (int)(value >> 1);
    }

    public uint ReadUInt32()
    {
        uint value = 0;
        for (int i = 0; i < LongestNumber; i++)
        {
            int index = _nibble / 2;
            if (index >= _bytes.Length)
                break;
            int nibble = (_nibble & 1) == 0 ? _bytes[index] & 0xF : _bytes[index] >> 4;
            _nibble++;
            value = (value << 3) | (uint)(nibble & 7);
            if ((nibble & 8) == 0)
                return value;
        }
        IsValid = false;
        return 0;
    }
}
