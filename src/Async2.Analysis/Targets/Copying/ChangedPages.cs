using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// The differences of a second copy of a running process. The first copy was complete when the second one began: so data that
/// is equal in both was so at one moment in between, however long either copy took. Data that was changed and
/// changed back is equal, too, and valid.
/// </summary>
internal sealed unsafe class ChangedPages
{
    private const int PageSize = (int)PageMap.PageSize;
    private const int BytesAtOnce = 1 << 20;

    private readonly MemoryImage _first;
    private readonly Dictionary<ulong, byte[]> _second = [];

    private ChangedPages(MemoryImage first) => _first = first;

    /// <summary>Pages that differ.</summary>
    public int Count => _second.Count;

    /// <summary>Reads the memory again.</summary>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    public static ChangedPages Compare(int pid, MemoryImage first, IReadOnlyList<MemorySlice> runs)
    {
        var changed = new ChangedPages(first);
        using var copier = new ProcessCopier(pid);
        byte[] buffer = GC.AllocateUninitializedArray<byte>(BytesAtOnce, pinned: true);
        fixed (byte* place = buffer)
        {
            foreach (MemorySlice run in runs)
            {
                for (nuint done = 0; done < run.Length; done += BytesAtOnce)
                {
                    int length = (int)nuint.Min(BytesAtOnce, run.Length - done);
                    buffer.AsSpan(0, length).Clear();
                    copier.Add(new(run.Start + done, (nuint)length), (nint)place);
                    copier.Flush();
                    changed.Compare(run.Start + done, buffer.AsSpan(0, length));
                }
            }
        }
        copier.ThrowIfFailed();
        return changed;
    }

    /// <summary>Whether both copies have the same bytes. False for memory that neither copied.</summary>
    public bool IsSame(ulong address, int length)
    {
        ReadOnlySpan<byte> first = _first.From(address);
        if (first.Length < length)
            return false;
        for (int done = 0; done < length;)
        {
            ulong here = address + (ulong)done;
            int offset = (int)(here % PageMap.PageSize), count = Math.Min(length - done, PageSize - offset);
            if (_second.TryGetValue(here - (ulong)offset, out byte[]? page) && !page.AsSpan(offset, count).SequenceEqual(first.Slice(done, count)))
                return false;
            done += count;
        }
        return true;
    }

    /// <summary>Reads from the second copy, up to the end of a page; 0 where it equals the first.</summary>
    public int Read(ulong address, Span<byte> buffer)
    {
        int offset = (int)(address % PageMap.PageSize);
        if (!_second.TryGetValue(address - (ulong)offset, out byte[]? page))
            return 0;
        int count = Math.Min(buffer.Length, PageSize - offset);
        page.AsSpan(offset, count).CopyTo(buffer);
        return count;
    }

    private void Compare(ulong address, ReadOnlySpan<byte> second)
    {
        for (int offset = 0; offset < second.Length; offset += PageSize)
        {
            ReadOnlySpan<byte> page = second.Slice(offset, Math.Min(PageSize, second.Length - offset)), first = _first.From(address + (ulong)offset);
            if (first.Length < page.Length || !first[..page.Length].SequenceEqual(page))
                _second[address + (ulong)offset] = page.ToArray();
        }
    }
}
