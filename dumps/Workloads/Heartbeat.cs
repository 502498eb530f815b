using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Workloads;

/// <summary>A thread that wants to run every millisecond and remembers the longest time that it could not.</summary>
public sealed class Heartbeat
{
    private const int PRIO_PROCESS = 0;
    private const int ThisThread = 0;
    private const int HighestPriority = -20;

    private long _longest;
    private bool _forget;

    public Heartbeat() => new Thread(Beat) { IsBackground = true, Name = "heartbeat" }.Start();

    public TimeSpan LongestGap => Stopwatch.GetElapsedTime(0, Volatile.Read(ref _longest));

    /// <summary>Forgets what was; the gap in which it is asked does not count.</summary>
    public void Reset()
    {
        Volatile.Write(ref _forget, true);
        while (Volatile.Read(ref _forget)) Thread.Sleep(1);
    }

    private void Beat()
    {
        // Without the right to it (root) the heartbeat shares the processor like everybody, and gaps hold that noise, too.
        _ = SetPriority(PRIO_PROCESS, ThisThread, HighestPriority);
        for (long last = Stopwatch.GetTimestamp(); ;)
        {
            Thread.Sleep(1);
            long now = Stopwatch.GetTimestamp();
            if (Volatile.Read(ref _forget))
            {
                Volatile.Write(ref _longest, 0);
                Volatile.Write(ref _forget, false);
            }
            else if (now - last > _longest)
            {
                Volatile.Write(ref _longest, now - last);
            }
            last = now;
        }
    }

    [DllImport("libc", EntryPoint = "setpriority")]
    private static extern int SetPriority(int which, int who, int priority);
}
