namespace Async2.Analysis.Targets.Memory;

/// <summary>Current memory of a process, stopped or running.</summary>
internal sealed unsafe class LiveMemory : MemoryReader, IDisposable
{
    private readonly IProcessMemory _memory;

    /// <param name="pid">The process.</param>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public LiveMemory(int pid) => _memory = ProcessMemory.Open(pid);

    /// <inheritdoc/>
    public override int PointerSize => sizeof(nint);

    /// <inheritdoc/>
    public override int Read(ulong address, Span<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            MemorySlice here = new((ulong)start, (nuint)buffer.Length), there = new(address, (nuint)buffer.Length);
            return (int)Math.Max(0, _memory.Read(&here, &there, 1, out _));
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _memory.Dispose();
}
