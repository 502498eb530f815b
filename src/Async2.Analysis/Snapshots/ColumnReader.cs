namespace Async2.Analysis.Snapshots;

/// <summary>Reads the output of a <see cref="ColumnWriter"/>. Nothing is trusted: counts are checked against the remaining bytes.</summary>
/// <param name="part">Name of the part, for errors.</param>
/// <param name="bytes">The part.</param>
internal sealed class ColumnReader(string part, byte[] bytes)
{
    private int _at;

    public ulong Number()
    {
        ulong value = 0;
        for (int shift = 0; shift < 64; shift += 7)
        {
            byte next = Byte();
            value |= (ulong)(next & 0x7f) << shift;
            if ((next & 0x80) == 0)
                return value;
        }
        throw Damaged("a number has too many bytes");
    }

    /// <summary>A count of items that take at least one byte each.</summary>
    public int Count()
    {
        ulong value = Number();
        return value <= (ulong)(bytes.Length - _at) ? (int)value : throw Damaged("a count is larger than the data");
    }

    /// <summary>A number below a limit.</summary>
    public int Below(int limit)
    {
        ulong value = Number();
        return value < (ulong)limit ? (int)value : throw Damaged("a number is too big");
    }

    /// <summary>A number from -1, below a limit.</summary>
    public int Index(int limit) => Below(limit + 1) - 1;

    public long Signed()
    {
        ulong value = Number();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    public byte Byte() => _at < bytes.Length ? bytes[_at++] : throw Damaged("its data is truncated");

    /// <summary>A value of an enum that is a byte.</summary>
    public TEnum Enum<TEnum>(int count)
        where TEnum : struct, Enum
        => Byte() is var value && value < count ? (TEnum)System.Enum.ToObject(typeof(TEnum), value) : throw Damaged("a kind is unknown");

    public ulong[] NearAddresses(int count)
    {
        var values = Array<ulong>(count);
        ulong last = 0;
        for (int i = 0; i < count; i++)
            values[i] = last += (ulong)Signed();
        return values;
    }

    /// <summary>Numbers from a minimum, below a limit.</summary>
    public int[] Near(int count, int least, int limit)
    {
        var values = Array<int>(count);
        long last = 0;
        for (int i = 0; i < count; i++)
        {
            last += Signed();
            values[i] = last >= least && last < limit ? (int)last : throw Damaged("a number is out of its range");
        }
        return values;
    }

    /// <summary>Space for a number of rows of at least one byte.</summary>
    public T[] Array<T>(int count) => count <= bytes.Length - _at ? new T[count] : throw Damaged("a count is larger than the data");

    /// <summary>Throws if there is more data.</summary>
    public void End()
    {
        if (_at != bytes.Length)
            throw Damaged("it has more data than it should");
    }

    public SnapshotFormatException Damaged(string what) => new($"its part {part.TrimEnd()} is damaged: {what}");
}
