using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>
/// The bytes of a heap in long stretches: in place where the target's memory lies in this process, else copied in big blocks. One
/// for each thread.
/// </summary>
internal sealed class HeapWindow(TargetMemory memory)
{
    /// <summary>So many bytes behind an address come together, unless the target has no more there: no async object's fields are cut in two.</summary>
    public const int Least = 512;

    private const int BlockSize = 2 * 1024 * 1024;

    // The number of objects between two reports of progress and two checks for cancellation.
    private const int RangeSize = 32 * 1024 * 1024;
    private const int SeamSize = 4096;
    private const ulong PageSize = 4096;

    private byte[] _block = [];
    private ulong _blockStart;
    private int _blockLength;

    /// <summary>What there is from an address on, up to an end; valid until the next call. Empty when nothing is there.</summary>
    public ReadOnlySpan<byte> From(ulong address, ulong end)
    {
        if (memory.Image is not { } image)
            return Copy(address, end, BlockSize);
        ReadOnlySpan<byte> here = image.From(address);
        ulong wanted = end - address;
        if ((ulong)here.Length > Math.Min(wanted, RangeSize))
            return here[..(int)Math.Min(wanted, RangeSize)];
        // Near the end of a stretch the next one may follow without a gap.
        return here.Length >= Least || (ulong)here.Length == wanted ? here : Copy(address, end, SeamSize);
    }

    /// <summary>The next address that has memory behind one that has none; the end when there is none.</summary>
    public ulong NextReadable(ulong address, ulong end, CancellationToken cancellation)
    {
        if (memory.Image is { } image)
            return Math.Min(end, image.NextFrom(address));
        Span<byte> probe = stackalloc byte[1];
        for (ulong page = (address | (PageSize - 1)) + 1; page < end && page != 0 && !cancellation.IsCancellationRequested; page += PageSize)
        {
            if (memory.ReadUpTo(page, probe) > 0)
                return page;
        }
        return end;
    }

    private ReadOnlySpan<byte> Copy(ulong address, ulong end, int size)
    {
        int wanted = (int)Math.Min((ulong)size, end - address);
        ulong offset = address - _blockStart;
        if (address < _blockStart || offset >= (ulong)_blockLength || _blockLength - (int)offset < Math.Min(Least, wanted))
        {
            if (_block.Length < size)
                _block = GC.AllocateUninitializedArray<byte>(size);
            Span<byte> block = _block.AsSpan(0, wanted);
            _blockStart = address;
            _blockLength = memory.Image is { } image ? image.Read(address, block) : memory.ReadUpTo(address, block);
            offset = 0;
        }
        return _block.AsSpan((int)offset, Math.Min(_blockLength - (int)offset, wanted));
    }
}
