using System.Diagnostics;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Holds all threads of a Linux process in a ptrace stop. Seized, not attached: no signal is sent, a process that was stopped
/// before stays stopped after, and if this tool is killed the kernel lets the process go on. The kernel ties a stopped thread to the
/// thread that stopped it, so that is one of our own which does nothing else: whatever becomes of those who read, it lets the process go
/// when its time is up.
/// Not ClrMD's own suspension: that waits for its SIGSTOPs with waitpid, which never returns when .NET's child handling is
/// faster, as happens when the target was started by this very process.
/// </summary>
internal sealed class ProcessFreeze : IDisposable
{
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(5);

    // To wake up costs more than the wait is long, as long as it is a usual one.
    private static readonly TimeSpan UsualStop = TimeSpan.FromMilliseconds(20);
    private const int PassLimit = 100;

    // Beyond every pid_max.
    private const int NoThread = int.MaxValue;

    // Threads stop within some microseconds each; looking into /proc takes longer than that.
    private const int ReportsBeforeCheck = 200;

    private readonly HashSet<int> _threads = [];
    private readonly Dictionary<int, byte[]> _registers = [];
    private readonly ManualResetEventSlim _ready = new(), _release = new(), _done = new();
    private readonly CancellationTokenSource _timeout = new();
    private readonly TimeSpan _limit;
    private bool _isHolding;

    private ProcessFreeze(TimeSpan limit) => _limit = limit;

    /// <summary>Stopwatch timestamp of the first stop.</summary>
    public long Since { get; } = Stopwatch.GetTimestamp();

    /// <summary>How long it was stopped; so far, if it still is.</summary>
    public TimeSpan StoppedFor => Stopwatch.GetElapsedTime(Since, _done.IsSet ? Until : Stopwatch.GetTimestamp());

    /// <summary>Its time was up: the process runs, and what is read of it is of another moment.</summary>
    public bool IsOver => _timeout.IsCancellationRequested;

    /// <summary>Set when its time is up.</summary>
    public CancellationToken Over => _timeout.Token;

    private long Until { get; set; }

    /// <summary>Null if the process cannot be held: a debugger has it, or ptrace is not permitted.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="limit">It is released when it has been stopped for so long.</param>
    public static ProcessFreeze? TryStop(int pid, TimeSpan limit)
    {
        if (!OperatingSystem.IsLinux() || ProcFiles.IsForeign)
            return null;
        var freeze = new ProcessFreeze(limit);
        freeze.Start(pid, PassLimit);
        if (freeze._isHolding)
            return freeze;
        freeze.Dispose();
        return null;
    }

    /// <summary>
    /// Runs once what will be run while the process is stopped, on a thread that does not exist: compiling it for the first time
    /// takes longer than to do it.
    /// </summary>
    public static void Warmup(int pid)
    {
        using var nothing = new ProcessFreeze(TimeSpan.Zero);
        nothing._threads.Add(NoThread);
        nothing.Start(pid, passLimit: 0);
        nothing.Hold([NoThread]);
        Ptrace.Interrupt(NoThread);
        _ = Ptrace.HasReported(NoThread);
        _ = Ptrace.Registers(NoThread);
        _ = nothing.Registers(pid);
        _ = ProcessThreads.IsStoppedOrGone(pid, pid);
    }

    /// <summary>Registers of all threads, by the id that the process itself gives each.</summary>
    public Dictionary<uint, byte[]> Registers(int pid)
    {
        bool isSame = ProcessThreads.SharesIds(pid);
        var all = new Dictionary<uint, byte[]>(_registers.Count);
        foreach ((int thread, byte[] registers) in _registers)
            all[ProcessThreads.OwnId(pid, thread, isSame)] = registers;
        return all;
    }

    /// <summary>Lets the process go on. When this returns, it does.</summary>
    public void Dispose()
    {
        _release.Set();
        _done.Wait();
    }

    private void Start(int pid, int passLimit)
    {
        new Thread(() => Run(pid, passLimit)) { IsBackground = true }.Start();
        while (!_ready.IsSet && Stopwatch.GetElapsedTime(Since) < UsualStop)
            Thread.Yield();
        _ready.Wait();
    }

    // All requests of ptrace are made here, on the holder's thread.
    private void Run(int pid, int passLimit)
    {
        try
        {
            _isHolding = StopAll(pid, passLimit);
            foreach (int thread in _threads)
            {
                if (_isHolding && Ptrace.Registers(thread) is { } registers)
                    _registers[thread] = registers;
            }
            _ready.Set();
            if (_isHolding && !_release.Wait(Rest()))
                _timeout.Cancel();
        }
        finally
        {
            foreach (int thread in _threads)
                Ptrace.Detach(thread);
            Until = Stopwatch.GetTimestamp();
            _ready.Set();
            _done.Set();
        }
    }

    private TimeSpan Rest() => _limit - Stopwatch.GetElapsedTime(Since) is var rest && rest > TimeSpan.Zero ? rest : TimeSpan.Zero;

    // A thread that still runs may start another one, so look again until there is no new one.
    private bool StopAll(int pid, int passLimit)
    {
        for (int pass = 0; ; pass++)
        {
            int[] fresh = [.. ProcessThreads.Of(pid).Where(t => !_threads.Contains(t))];
            if (fresh.Length == 0)
                return _threads.Count > 0;
            if (pass >= passLimit)
                return false;
            int[] held = Hold(fresh);
            // One that ended meanwhile cannot be seized, and that is fine; that none can is not.
            if (held.Length == 0)
                return _threads.Count > 0;
            foreach (int thread in held)
                WaitUntilStopped(pid, thread);
        }
    }

    private int[] Hold(int[] threads)
    {
        int[] held = [.. threads.Where(Ptrace.Seize)];
        foreach (int thread in held)
        {
            _threads.Add(thread);
            Ptrace.Interrupt(thread);
        }
        return held;
    }

    // Never by waiting for the report alone: .NET's own child handling takes that of a child of ours.
    private void WaitUntilStopped(int pid, int thread)
    {
        while (Stopwatch.GetElapsedTime(Since) < StopLimit)
        {
            for (int i = 0; i < ReportsBeforeCheck; i++)
            {
                if (Ptrace.HasReported(thread))
                    return;
                Thread.Yield();
            }
            if (ProcessThreads.IsStoppedOrGone(pid, thread))
                return;
        }
    }
}
