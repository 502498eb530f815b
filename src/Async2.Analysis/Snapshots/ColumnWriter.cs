namespace Async2.Analysis.Snapshots;

/// <summary>Writes numbers, seven bits a byte, small ones short. Differences of neighbours are small.</summary>
internal sealed class ColumnWriter
{
    private readonly MemoryStream _bytes = new();

    public ReadOnlyMemory<byte> Bytes => _bytes.GetBuffer().AsMemory(0, (int)_bytes.Length);

    /// <summary>A number that is mostly small.</summary>
    public void Number(ulong value)
    {
        for (; value >= 0x80; value >>= 7)
            _bytes.WriteByte((byte)(value | 0x80));
        _bytes.WriteByte((byte)value);
    }

    /// <summary>A number from 0.</summary>
    public void Count(int value) => Number((ulong)value);

    /// <summary>A number from -1.</summary>
    public void Index(int value) => Number((ulong)(value + 1));

    /// <summary>A difference.</summary>
    public void Signed(long value) => Number((ulong)((value << 1) ^ (value >> 63)));

    public void Byte(byte value) => _bytes.WriteByte(value);

    /// <summary>Numbers of which each is near the one before.</summary>
    public void Near(ReadOnlySpan<ulong> values)
    {
        ulong last = 0;
        foreach (ulong value in values)
        {
            Signed((long)(value - last));
            last = value;
        }
    }

    /// <summary>Numbers of which each is near the one before.</summary>
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
