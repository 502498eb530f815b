using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Support.Drawing;

/// <summary>A target's memory of single bytes; all else is a hole.</summary>
internal sealed class SparseMemory(IReadOnlyDictionary<ulong, byte> bytes) : MemoryReader
{
    public override int PointerSize => 8;

    public override int Read(ulong address, Span<byte> buffer)
    {
        int count = 0;
        while (count < buffer.Length && bytes.TryGetValue(address + (ulong)count, out byte value))
            buffer[count++] = value;
        return count;
    }
}
