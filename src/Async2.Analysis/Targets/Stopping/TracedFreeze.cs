using System.Diagnostics;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Holds all threads of a Linux process in a ptrace stop. Seized, not attached: no signal is sent, a process that was stopped
/// before stays stopped after, and if this tool is killed the kernel lets the process go on. The kernel ties a stopped thread to the
/// thread that stopped it, the holder's.
/// Not ClrMD's own suspension: that waits for its SIGSTOPs with waitpid, which never returns when .NET's child handling is
/// faster, as happens when the target was started by this very process.
/// </summary>
/// <param name="pid">The process.</param>
/// <param name="limit">It is released when it has been stopped for so long.</param>
/// <param name="passLimit">How often to look for threads that have come meanwhile.</param>
internal sealed class TracedFreeze(int pid, TimeSpan limit, int passLimit = TracedFreeze.PassLimit) : ProcessFreeze(limit)
{
    private const int PassLimit = 100;
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(5);

    // Beyond every pid_max.
    private const int NoThread = int.MaxValue;

    // Threads stop within some microseconds each; looking into /proc takes longer than that.
    private const int ReportsBeforeCheck = 200;

    private readonly HashSet<int> _threads = [];
    private readonly Dictionary<int, byte[]> _registers = [];

    /// <summary>Compiles what a stop will run, on a thread that does not exist.</summary>
    public static void WarmUp(int pid)
    {
        using var nothing = new TracedFreeze(pid, TimeSpan.Zero, passLimit: 0);
        nothing._threads.Add(NoThread);
        nothing.Start();
        nothing.Hold([NoThread]);
        Ptrace.Interrupt(NoThread);
        _ = Ptrace.HasReported(NoThread);
        _ = Ptrace.Registers(NoThread);
        _ = nothing.Registers(pid);
        _ = ProcessThreads.IsStoppedOrGone(pid, pid);
    }

    /// <inheritdoc/>
    public override Dictionary<uint, byte[]> Registers(int pid)
    {
        bool isSame = ProcessThreads.SharesIds(pid);
        var all = new Dictionary<uint, byte[]>(_registers.Count);
        foreach ((int thread, byte[] registers) in _registers)
            all[ProcessThreads.OwnId(pid, thread, isSame)] = registers;
        return all;
    }

    /// <inheritdoc/>
    protected override bool Hold()
    {
        if (!StopAll())
            return false;
        foreach (int thread in _threads)
        {
            if (Ptrace.Registers(thread) is { } registers)
                _registers[thread] = registers;
        }
        return true;
    }

    /// <inheritdoc/>
    protected override void LetGo()
    {
        foreach (int thread in _threads)
            Ptrace.Detach(thread);
    }

    // A thread that still runs may start another one, so look again until there is no new one.
    private bool StopAll()
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
                WaitUntilStopped(thread);
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
    private void WaitUntilStopped(int thread)
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
