using System.Diagnostics;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Holds all threads of a process, in a way that the system undoes if this tool is killed. A thread of our own does nothing else: whatever becomes of those who
/// read, it lets the process go when its time is up.
/// </summary>
internal abstract class ProcessFreeze : IDisposable
{
    // To wake up costs more than the wait is long, as long as it is a usual one.
    private static readonly TimeSpan UsualStop = TimeSpan.FromMilliseconds(20);

    private readonly ManualResetEventSlim _ready = new(), _release = new(), _done = new();
    private readonly CancellationTokenSource _timeout = new();
    private readonly TimeSpan _limit;
    private bool _isHolding;

    /// <param name="limit">The process is released when it has been stopped for so long.</param>
    protected ProcessFreeze(TimeSpan limit) => _limit = limit;

    /// <summary>Stopwatch timestamp of the first stop.</summary>
    public long Since { get; } = Stopwatch.GetTimestamp();

    /// <summary>How long it was stopped; so far, if it still is.</summary>
    public TimeSpan StoppedFor => Stopwatch.GetElapsedTime(Since, _done.IsSet ? Until : Stopwatch.GetTimestamp());

    /// <summary>Its time was up: the process runs, and what is read of it is of another moment.</summary>
    public bool IsOver => _timeout.IsCancellationRequested;

    /// <summary>Set when its time is up.</summary>
    public CancellationToken Over => _timeout.Token;

    private long Until { get; set; }

    /// <summary>Null if the process cannot be held: a debugger has it, or that is not permitted.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="limit">It is released when it has been stopped for so long.</param>
    public static ProcessFreeze? TryStop(int pid, TimeSpan limit)
    {
        if (OperatingSystem.IsWindows())
            return Held(new DebuggedFreeze(pid, limit));
        return OperatingSystem.IsLinux() && !ProcFiles.IsForeign ? Held(new TracedFreeze(pid, limit)) : null;
    }

    /// <summary>Runs once what will be run while the process is stopped: compiling it for the first time takes longer than to do it.</summary>
    public static void Warmup(int pid)
    {
        if (OperatingSystem.IsLinux())
            TracedFreeze.WarmUp(pid);
    }

    /// <summary>Registers of all threads, by the id that the process itself gives each.</summary>
    public abstract Dictionary<uint, byte[]> Registers(int pid);

    /// <summary>Lets the process go on. When this returns, it does.</summary>
    public void Dispose()
    {
        _release.Set();
        _done.Wait();
        GC.SuppressFinalize(this);
    }

    /// <summary>Stops all threads and keeps their registers; on the holder's thread. False if that is not possible.</summary>
    protected abstract bool Hold();

    /// <summary>Lets go of whatever is held; on the same thread.</summary>
    protected abstract void LetGo();

    /// <summary>Starts the holder's thread, and waits until it holds the process or cannot.</summary>
    protected void Start()
    {
        new Thread(Run) { IsBackground = true }.Start();
        while (!_ready.IsSet && Stopwatch.GetElapsedTime(Since) < UsualStop)
            Thread.Yield();
        _ready.Wait();
    }

    private static ProcessFreeze? Held(ProcessFreeze freeze)
    {
        freeze.Start();
        if (freeze._isHolding)
            return freeze;
        freeze.Dispose();
        return null;
    }

    private void Run()
    {
        try
        {
            _isHolding = Hold();
            // Not before: threads of the process need a processor to come to a stop.
            ThreadUrgency.Raise();
            _ready.Set();
            if (_isHolding && !_release.Wait(Rest()))
                _timeout.Cancel();
        }
        finally
        {
            LetGo();
            Until = Stopwatch.GetTimestamp();
            _ready.Set();
            _done.Set();
        }
    }

    private TimeSpan Rest() => _limit - Stopwatch.GetElapsedTime(Since) is var rest && rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
}
