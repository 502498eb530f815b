namespace Async2.Analysis.Targets.Memory;

/// <summary>Address space on Linux: what is reserved is memory as soon as it is written.</summary>
internal sealed class LinuxAddressSpace : IAddressSpace
{
    // A page of 2 MB. Where the system has memory of such pages, the first copy to it takes a tenth of the time (measured in a virtual machine).
    private const ulong HugePage = 2ul << 20;

    /// <inheritdoc/>
    public nint Reserve(ulong bytes)
    {
        if (bytes < HugePage)
            return MemoryCalls.Reserve(bytes);
        ulong room = RoomOf(bytes);
        nint start = MemoryCalls.Reserve(room + HugePage);
        if (start == 0)
            return 0;
        // Begins and ends at pages of that size; what is before and behind goes back.
        ulong before = Up((ulong)start) - (ulong)start;
        if (before > 0)
            MemoryCalls.Release(start, before);
        if (before < HugePage)
            MemoryCalls.Release(start + (nint)(before + room), HugePage - before);
        return start + (nint)before;
    }

    /// <inheritdoc/>
    public bool Commit(nint start, ulong bytes) => true;

    /// <inheritdoc/>
    public void Populate(nint start, ulong bytes)
    {
        // What was reserved has room for the pages at both ends.
        if (bytes >= HugePage)
        {
            ulong first = (ulong)start / HugePage * HugePage;
            MemoryCalls.PreferHugePages((nint)first, Up((ulong)start + bytes) - first);
        }
        MemoryCalls.Populate(start, bytes);
    }

    /// <inheritdoc/>
    public void Release(nint start, ulong bytes) => MemoryCalls.Release(start, RoomOf(bytes));

    private static ulong RoomOf(ulong bytes) => bytes < HugePage ? bytes : Up(bytes);

    private static ulong Up(ulong value) => (value + HugePage - 1) / HugePage * HugePage;
}
