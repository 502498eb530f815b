using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// Copies memory of a process in as few calls as possible. Memory that can no longer be read stays
/// zero; that does not happen in a stopped process.
/// </summary>
/// <param name="pid">The process.</param>
internal sealed unsafe class ProcessCopier(int pid) : IDisposable
{
    // IOV_MAX of Linux: the maximum number of ranges in one call.
    public const int RangeLimit = 1024;

    // The kernel copies 2 GB at most in one call.
    private const nuint LargestPiece = 64 << 20;
    private const nuint BytesAtOnce = 8 * LargestPiece;

    private readonly IProcessMemory _memory = ProcessMemory.Open(pid);
    private readonly MemorySlice[] _here = new MemorySlice[RangeLimit];
    private readonly MemorySlice[] _there = new MemorySlice[RangeLimit];
    private int _count;
    private nuint _bytes;

    private bool _hasEnded;
    private bool _isForbidden;

    private bool Failed => _hasEnded || _isForbidden;

    /// <summary>Adds a range; copies if there are enough.</summary>
    public void Add(MemorySlice there, nint here)
    {
        for (nuint done = 0; done < there.Length && !Failed;)
        {
            nuint length = nuint.Min(there.Length - done, LargestPiece);
            if (_count == _there.Length || _bytes + length > BytesAtOnce)
                Flush();
            _there[_count] = new(there.Start + done, length);
            _here[_count++] = new((ulong)here + done, length);
            _bytes += length;
            done += length;
        }
    }

    /// <summary>Copies the added ranges.</summary>
    public void Flush()
    {
        if (_count > 0 && !Failed && Read(_count) < (long)_bytes)
        {
            // A range in between no longer exists.
            MemorySlice[] there = _there[.._count], here = _here[.._count];
            for (int i = 0; i < there.Length && !Failed; i++)
                CopyPages(there[i], here[i]);
        }
        _count = 0;
        _bytes = 0;
    }

    /// <summary>Throws if not everything could be copied.</summary>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public void ThrowIfFailed()
    {
        if (_hasEnded)
            throw new InvalidOperationException("The process has exited.");
        if (_isForbidden)
            throw new UnauthorizedAccessException();
    }

    /// <inheritdoc/>
    public void Dispose() => _memory.Dispose();

    private void CopyPages(MemorySlice there, MemorySlice here)
    {
        for (nuint done = 0; done < there.Length && !Failed;)
        {
            _there[0] = new(there.Start + done, there.Length - done);
            _here[0] = new(here.Start + done, here.Length - done);
            done += (nuint)Math.Max(0, Read(1));
            if (done < there.Length)
                done = (done / (nuint)PageMap.PageSize + 1) * (nuint)PageMap.PageSize;
        }
    }

    private long Read(int count)
    {
        fixed (MemorySlice* here = _here, there = _there)
        {
            long read = _memory.Read(here, there, count, out ReadRefusal refusal);
            _hasEnded |= refusal == ReadRefusal.HasEnded;
            _isForbidden |= refusal == ReadRefusal.IsForbidden;
            return read;
        }
    }
}
