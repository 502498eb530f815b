using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// Copies memory of a process with two threads. One alone waits for memory most of the time where what is copied is strewn over a big heap. The other
/// thread is there, and waits, before the process is stopped.
/// </summary>
internal sealed class CopyTeam : IDisposable
{
    // So much is left to wait for at most when the other thread has lost its processor.
    private const nuint BytesOfShare = 2 << 20;

    private readonly ProcessCopier _own, _others;
    private readonly ManualResetEventSlim _begin = new(), _done = new();
    private readonly List<Piece> _pieces = [];
    private readonly List<int> _shares = [];
    private readonly Thread? _other;
    private int _next;
    private bool _isOver;

    /// <param name="pid">The process.</param>
    /// <param name="hasHelp">With the other thread; without it ranges are copied in the order in which they were added.</param>
    public CopyTeam(int pid, bool hasHelp)
    {
        (_own, _others) = (new(pid), new(pid));
        if (!hasHelp || Environment.ProcessorCount == 1)
            return;
        _other = new Thread(Help) { IsBackground = true };
        _other.Start();
    }

    /// <summary>Adds a range that will be copied.</summary>
    public void Add(MemorySlice there, nint here)
    {
        for (nuint done = 0; done < there.Length;)
        {
            nuint length = nuint.Min(there.Length - done, BytesOfShare);
            _pieces.Add(new(new(there.Start + done, length), here + (nint)done));
            done += length;
        }
    }

    /// <summary>Copies what was added. Once only.</summary>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public void Copy()
    {
        Share();
        _begin.Set();
        Work(_own);
        if (_other is not null)
            _done.Wait();
        _own.ThrowIfFailed();
        _others.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isOver = true;
        _begin.Set();
        _other?.Join();
        _own.Dispose();
        _others.Dispose();
    }

    private void Help()
    {
        ThreadUrgency.Raise();
        _begin.Wait();
        if (!_isOver)
            Work(_others);
        _done.Set();
    }

    private void Share()
    {
        nuint bytes = 0;
        for (int i = 0, count = 0; i < _pieces.Count; i++, count++)
        {
            if (i == 0 || count == ProcessCopier.RangeLimit || bytes + _pieces[i].There.Length > BytesOfShare)
            {
                _shares.Add(i);
                (count, bytes) = (0, 0);
            }
            bytes += _pieces[i].There.Length;
        }
    }

    private void Work(ProcessCopier copier)
    {
        for (int share = Interlocked.Increment(ref _next) - 1; share < _shares.Count; share = Interlocked.Increment(ref _next) - 1)
        {
            int end = share + 1 < _shares.Count ? _shares[share + 1] : _pieces.Count;
            for (int i = _shares[share]; i < end; i++)
                copier.Add(_pieces[i].There, _pieces[i].Here);
            copier.Flush();
        }
    }

    private readonly record struct Piece(MemorySlice There, nint Here);
}
