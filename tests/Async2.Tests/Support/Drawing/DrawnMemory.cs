using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Support.Drawing;

/// <summary>Memory with holes: what is mapped holds bytes that tell their own address.</summary>
internal sealed class DrawnMemory : IMemoryReader
{
    private readonly List<(ulong Start, ulong Last)> _ranges = [];

    public int PointerSize { get; set; } = 8;

    /// <summary>The most bytes that one read returns.</summary>
    public int AtOnce { get; set; } = int.MaxValue;

    /// <summary>What every read throws; null for none.</summary>
    public Exception? Throws { get; set; }

    public static byte[] Expected(ulong address, int length) => [.. Enumerable.Range(0, length).Select(i => At(address + (ulong)i))];

    public void Map(ulong start, int length) => _ranges.Add((start, start + (ulong)(length - 1)));

    public int Read(ulong address, Span<byte> buffer)
    {
        if (Throws is not null)
            throw Throws;
        int count = 0;
        // As readers of real memory do, it gives what there is before the first hole.
        while (count < Math.Min(buffer.Length, AtOnce) && address + (ulong)count >= address && IsMapped(address + (ulong)count))
        {
            buffer[count] = At(address + (ulong)count);
            count++;
        }
        return count;
    }

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged
        => throw new NotSupportedException();

    public T Read<T>(ulong address)
        where T : unmanaged
        => throw new NotSupportedException();

    public bool ReadPointer(ulong address, out ulong value) => throw new NotSupportedException();

    public ulong ReadPointer(ulong address) => throw new NotSupportedException();

    private bool IsMapped(ulong address) => _ranges.Any(range => address >= range.Start && address <= range.Last);

    private static byte At(ulong address) => (byte)(address ^ (address >> 8) ^ (address >> 16) ^ (address >> 25));
}
