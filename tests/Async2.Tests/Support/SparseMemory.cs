using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Support;

/// <summary>A target's memory of single bytes; all else is a hole.</summary>
internal sealed class SparseMemory(IReadOnlyDictionary<ulong, byte> bytes) : IMemoryReader
{
    public int PointerSize => 8;

    public int Read(ulong address, Span<byte> buffer)
    {
        int count = 0;
        while (count < buffer.Length && bytes.TryGetValue(address + (ulong)count, out byte value))
            buffer[count++] = value;
        return count;
    }

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged => throw new NotSupportedException();

    public T Read<T>(ulong address)
        where T : unmanaged => throw new NotSupportedException();

    public bool ReadPointer(ulong address, out ulong value) => throw new NotSupportedException();

    public ulong ReadPointer(ulong address) => throw new NotSupportedException();
}
