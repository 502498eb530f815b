using System.Diagnostics;

namespace Async2.Analysis.Targets;

/// <summary>
/// Holds all threads of a Linux process in a ptrace stop. Seized, not attached: no signal is sent, a process that was stopped
/// before stays stopped after, and if this tool is killed the kernel lets the process go on. The thread that freezes has to
/// thaw, too; it is also the only one that can read the registers meanwhile.
/// Not ClrMD's own suspension: that waits for its SIGSTOPs with waitpid, which never returns when .NET's child handling is
/// faster, as happens when the target was started by this very process.
/// </summary>
internal sealed class ProcessFreeze : IDisposable
{
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(5);
    private const int PassLimit = 100;

    // Beyond every pid_max.
    private const int NoThread = int.MaxValue;

    // Threads stop within some microseconds each; looking into /proc takes longer than that.
    private const int ReportsBeforeLook = 200;

    private readonly HashSet<int> _threads = [];

    private ProcessFreeze(long since) => Since = since;

    /// <summary>Stopwatch timestamp of the first stop.</summary>
    public long Since { get; }

    /// <summary>Null when the process cannot be held: a debugger has it, or ptrace is not permitted.</summary>
    public static ProcessFreeze? TryStop(int pid)
    {
        if (!OperatingSystem.IsLinux())
            return null;
        var freeze = new ProcessFreeze(Stopwatch.GetTimestamp());
        if (freeze.StopAll(pid, PassLimit))
            return freeze;
        freeze.Dispose();
        return null;
    }

    /// <summary>
    /// Runs once what will be run while the process stands still, on a thread that does not exist: compiling it for the first time
    /// takes longer than to do it.
    /// </summary>
    public static void Rehearse(int pid)
    {
        using var nothing = new ProcessFreeze(Stopwatch.GetTimestamp());
        nothing._threads.Add(NoThread);
        nothing.StopAll(pid, passLimit: 0);
        nothing.Hold([NoThread]);
        Ptrace.Interrupt(NoThread);
        _ = Ptrace.HasReported(NoThread);
        _ = nothing.Registers(pid);
        _ = ProcessThreads.IsStoppedOrGone(pid, pid);
    }

    /// <summary>Registers of all threads, by the id that the process itself gives each.</summary>
    public Dictionary<uint, byte[]> Registers(int pid)
    {
        var all = new Dictionary<uint, byte[]>();
        bool isSame = ProcessThreads.SharesIds(pid);
        foreach (int thread in _threads)
        {
            if (Ptrace.Registers(thread) is { } registers)
                all[ProcessThreads.OwnId(pid, thread, isSame)] = registers;
        }
        return all;
    }

    public void Dispose()
    {
        foreach (int thread in _threads)
            Ptrace.Detach(thread);
        _threads.Clear();
    }

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
    private static void WaitUntilStopped(int pid, int thread)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < StopLimit)
        {
            for (int i = 0; i < ReportsBeforeLook; i++)
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
