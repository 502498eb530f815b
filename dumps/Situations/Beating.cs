using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>A big heap of suspended chains (10,000 of 100 frames) and a thread that wakes every millisecond, and notes how late it was.</summary>
public static class Beating
{
    private const int Depth = 100;

    private static long longest;

    public static void Start(int count)
    {
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Marks.Keep(gate);
        var chains = new Task[count > 0 ? count : 10_000];
        for (int i = 0; i < chains.Length; i++)
            chains[i] = LinkAsync(Depth - 1, gate.Task);
        Marks.Keep(chains);
        GC.Collect();
        new Thread(Beat) { IsBackground = true, Priority = ThreadPriority.Highest }.Start();
    }

    /// <summary>Milliseconds since the last question.</summary>
    public static string LongestGap()
        => (Interlocked.Exchange(ref longest, 0) * 1000.0 / Stopwatch.Frequency).ToString(CultureInfo.InvariantCulture);

    private static void Beat()
    {
        for (long last = Stopwatch.GetTimestamp(); ;)
        {
            Thread.Sleep(1);
            long now = Stopwatch.GetTimestamp();
            if (now - last > Volatile.Read(ref longest))
                Volatile.Write(ref longest, now - last);
            last = now;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> LinkAsync(int deeper, Task gate)
    {
        if (deeper == 0)
        {
            await gate;
            return 0;
        }
        int below = await LinkAsync(deeper - 1, gate);
        return below + 1;
    }
}
