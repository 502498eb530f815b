namespace Async2.Analysis.Snapshots;

/// <summary>Writes numbers as LEB128, seven bits in each byte. Differences between neighbours are small.</summary>
internal sealed class ColumnWriter
{
    private byte[] _bytes = new byte[256];
    private int _count;

    public ReadOnlyMemory<byte> Bytes => _bytes.AsMemory(0, _count);

    /// <summary>A number that is usually small.</summary>
    public void Number(ulong value)
    {
        for (; value >= 0x80; value >>= 7)
            Byte((byte)(value | 0x80));
        Byte((byte)value);
    }

    /// <summary>A number from 0.</summary>
    public void Count(int value) => Number((ulong)value);

    /// <summary>A number from -1.</summary>
    public void Index(int value) => Number((ulong)(value + 1));

    /// <summary>A difference.</summary>
    public void Signed(long value) => Number((ulong)((value << 1) ^ (value >> 63)));

    public void Byte(byte value)
    {
        if (_count == _bytes.Length)
            Array.Resize(ref _bytes, _count * 2);
        _bytes[_count++] = value;
    }

    /// <summary>Numbers close to their predecessors.</summary>
    public void Near(ReadOnlySpan<ulong> values)
    {
        ulong last = 0;
        foreach (ulong value in values)
        {
            Signed((long)(value - last));
            last = value;
        }
    }

    /// <summary>Numbers close to their predecessors.</summary>
    public void Near(ReadOnlySpan<int> values)
    {
        int last = 0;
        foreach (int value in values)
        {
            Signed((long)value - last);
            last = value;
        }
    }
}
