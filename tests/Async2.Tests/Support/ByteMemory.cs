using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Support;

/// <summary>A target's memory that is one stretch of bytes.</summary>
internal sealed class ByteMemory(ulong start, byte[] bytes) : IMemoryReader
{
    public int PointerSize => 8;

    public static TargetMemory At(ulong start, byte[] bytes) => new(new ByteMemory(start, bytes));

    public int Read(ulong address, Span<byte> buffer)
    {
        if (address < start || address - start >= (ulong)bytes.Length)
            return 0;
        ReadOnlySpan<byte> rest = bytes.AsSpan((int)(address - start));
        int count = Math.Min(rest.Length, buffer.Length);
        rest[..count].CopyTo(buffer);
        return count;
    }

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged => throw new NotSupportedException();

    public T Read<T>(ulong address)
        where T : unmanaged => throw new NotSupportedException();

    public bool ReadPointer(ulong address, out ulong value) => throw new NotSupportedException();

    public ulong ReadPointer(ulong address) => throw new NotSupportedException();
}
