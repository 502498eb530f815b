using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Support.Drawing;

/// <summary>A target's memory that is one stretch of bytes.</summary>
internal sealed class ByteMemory(ulong start, byte[] bytes) : MemoryReader
{
    public override int PointerSize => 8;

    public static TargetMemory At(ulong start, byte[] bytes) => new(new ByteMemory(start, bytes));

    public override int Read(ulong address, Span<byte> buffer)
    {
        if (address < start || address - start >= (ulong)bytes.Length)
            return 0;
        ReadOnlySpan<byte> rest = bytes.AsSpan((int)(address - start));
        int count = Math.Min(rest.Length, buffer.Length);
        rest[..count].CopyTo(buffer);
        return count;
    }
}
