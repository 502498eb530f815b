using System.Runtime.InteropServices;

namespace Async2.Dump.Terminals;

/// <summary>
/// Notices that nobody reads standard output any more, as behind <c>| head</c>: a command that never ends by itself has to end then. .NET ignores SIGPIPE, and what is written to such
/// a pipe is lost without an error.
/// </summary>
internal sealed partial class OutputReaders : IDisposable
{
    private const int StandardOutput = 1;
    private const short Error = 8;

    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(500);

    private readonly Action _gone;
    private readonly Timer? _timer;
    private int _isOver;

    /// <summary>Begins to look.</summary>
    /// <param name="gone">Called once, when the last reader has gone.</param>
    public OutputReaders(Action gone)
    {
        _gone = gone;
        if (!OperatingSystem.IsWindows())
            _timer = new Timer(_ => Look(), null, Period, Period);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        using var over = new ManualResetEvent(false);
        if (_timer?.Dispose(over) == true)
            over.WaitOne();
    }

    private void Look()
    {
        var entry = new Entry { File = StandardOutput };
        if (Poll(ref entry, 1, 0) > 0 && (entry.Found & Error) != 0 && Interlocked.Exchange(ref _isOver, 1) == 0)
            _gone();
    }

    // poll(2): POLLERR of the end of a pipe that is written to, if the other one is closed.
    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(ref Entry entries, nuint count, int milliseconds);

    [StructLayout(LayoutKind.Sequential)]
    private struct Entry
    {
        public int File;
        public short Wanted;
        public short Found;
    }
}
