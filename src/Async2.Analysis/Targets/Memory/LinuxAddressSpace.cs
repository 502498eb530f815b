namespace Async2.Analysis.Targets.Memory;

/// <summary>Address space on Linux: what is reserved is memory as soon as it is written.</summary>
internal sealed class LinuxAddressSpace : IAddressSpace
{
    private const ulong HugeFrom = 8ul << 20;

    /// <inheritdoc/>
    public nint Reserve(ulong bytes) => MemoryCalls.Reserve(bytes);

    /// <inheritdoc/>
    public bool Commit(nint start, ulong bytes) => true;

    /// <inheritdoc/>
    public void Populate(nint start, ulong bytes)
    {
        if (bytes >= HugeFrom)
            MemoryCalls.PreferHugePages(start, bytes);
        MemoryCalls.Populate(start, bytes);
    }

    /// <inheritdoc/>
    public void Release(nint start, ulong bytes) => MemoryCalls.Release(start, bytes);
}
