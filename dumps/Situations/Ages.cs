using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Waits of which each notes when it began. <c>agesAlone</c>: one thread makes all of them. <c>agesCrowd</c>: threads that allocate fast, slowly and
/// hardly at all make them side by side, while the collector runs. <c>agesOld</c>: they have survived collections that move objects.
/// </summary>
public static class Ages
{
    private const int Threads = 6, Waits = 40, Most = 100_000;
    private static readonly long[] Began = new long[Most];
    private static readonly long[] EndedBy = new long[Most];
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static int _count;
    private static byte[]? _garbage;

    /// <summary>Ticks at which waits began, by their number, and then ticks before which they have; 0 where that was not noted.</summary>
    private static long[] All => [.. Began[..Volatile.Read(ref _count)], .. EndedBy[..Volatile.Read(ref _count)]];

    public static void StartAlone(int count)
    {
        for (int i = 0; i < Waits; i++)
        {
            StartAll(allocated: 200, withTimers: true);
            Thread.Sleep(40);
        }
        Thread.Sleep(300);
        Marks.Began = All;
    }

    public static void StartCrowd(int count)
    {
        StartThreads(collect: i => i % 3 == 1);
        Thread.Sleep(500);
        // A few that have not met the collector.
        StartAll(allocated: 10, withTimers: true);
        Thread.Sleep(300);
        Marks.Began = All;
    }

    public static void StartOld(int count)
    {
        StartThreads(collect: i => i % 7 == 3);
        for (int i = 0; i < 3; i++)
        {
            GC.Collect(i % 2 + 1, GCCollectionMode.Forced, blocking: true, compacting: true);
            Thread.Sleep(200);
            StartAll(allocated: 100, withTimers: true);
        }
        GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
        StartAll(allocated: 100, withTimers: true);
        Thread.Sleep(1500);
        Marks.Began = All;
    }

    // Each thread is slower than the one before; the last one makes no timers.
    private static void StartThreads(Func<int, bool> collect)
    {
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(() =>
        {
            for (int i = 0; i < Waits; i++)
            {
                StartAll(allocated: 2000 >> (number * 2), withTimers: number < Threads - 1);
                if (number == 0 && collect(i))
                    GC.Collect(i % 2, GCCollectionMode.Forced);
                Thread.Sleep(20 + (number * 5));
            }
        }) { IsBackground = true })];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
    }

    private static void StartAll(int allocated, bool withTimers)
    {
        for (int i = 0; i < allocated; i++)
            Volatile.Write(ref _garbage, new byte[200]);
        if (withTimers)
        {
            Marks.Keep(DelaysAsync(Next()));
            Marks.Keep(LimitsAsync(Next()));
        }
        Marks.Keep(WaitsAsync(Next()));
        Marks.Keep(TakesAsync(Next()));
        Marks.Keep(ReadsAsync(Next()));
        Marks.Keep(AgainAsync(Next()));
    }

    private static int Next() => Interlocked.Increment(ref _count) - 1;

    private static void Begin(int k) => Began[k] = Environment.TickCount64;

    // The wait began before this: a thread may be stopped between two lines.
    private static Task By(this Task wait, int k)
    {
        EndedBy[k] = Environment.TickCount64;
        return wait;
    }

    private static async Task<int> DelaysAsync(int k)
    {
        Begin(k);
        await Task.Delay(Hour).By(k);
        return k;
    }

    private static async Task<int> LimitsAsync(int k)
    {
        var never = new TaskCompletionSource();
        Begin(k);
        await never.Task.WaitAsync(Hour).By(k);
        return k;
    }

    private static async Task<int> WaitsAsync(int k)
    {
        var never = new TaskCompletionSource();
        Marks.Keep(never);
        Begin(k);
        await never.Task;
        return k;
    }

    private static async Task<int> TakesAsync(int k)
    {
        var gate = new SemaphoreSlim(0, 1);
        Marks.Keep(gate);
        Begin(k);
        await gate.WaitAsync();
        return k;
    }

    private static async Task<int> ReadsAsync(int k)
    {
        Channel<int> channel = Channel.CreateUnbounded<int>();
        Marks.Keep(channel);
        Begin(k);
        return k + await channel.Reader.ReadAsync();
    }

    // Its last wait is younger than its first.
    private static async Task<int> AgainAsync(int k)
    {
        await Task.Delay(30);
        await Task.Yield();
        var never = new TaskCompletionSource();
        Marks.Keep(never);
        Begin(k);
        await never.Task;
        return k;
    }
}
