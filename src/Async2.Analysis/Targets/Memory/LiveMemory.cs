namespace Async2.Analysis.Targets.Memory;

/// <summary>Current memory of a process, stopped or running.</summary>
/// <param name="pid">The process.</param>
internal sealed unsafe class LiveMemory(int pid) : MemoryReader
{
    /// <inheritdoc/>
    public override int PointerSize => sizeof(nint);

    /// <inheritdoc/>
    public override int Read(ulong address, Span<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            MemorySlice here = new((ulong)start, (nuint)buffer.Length), there = new(address, (nuint)buffer.Length);
            return (int)Math.Max(0, MemoryCalls.Read(pid, &here, &there, 1));
        }
    }
}
