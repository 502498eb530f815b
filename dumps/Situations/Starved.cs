using System.Diagnostics;
using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Pools of threads that have no worker left, and pools that only look so. Each notes what the runtime itself says of its pool, and stands still
/// in that state for as long as a test looks.
/// </summary>
public static class Starved
{
    private static readonly ManualResetEventSlim Never = new();
    private static volatile int _sink;

    /// <summary>Every item sleeps: the pool adds a worker now and then, which sleeps too.</summary>
    public static void StartSleeping(int count)
    {
        for (int i = 0; i < 60; i++)
            Marks.Keep(Task.Run(() => Thread.Sleep(Timeout.Infinite.At("sleeps"))));
        Thread.Sleep(2500);
        Note();
    }

    /// <summary>Every item waits for an event that nobody sets, and there may be no more workers.</summary>
    public static void StartWaiting(int count)
    {
        Limit(6);
        for (int i = 0; i < 40; i++)
            ThreadPool.QueueUserWorkItem(_ => Never.At("waits").Wait());
        Thread.Sleep(1200);
        Note();
    }

    /// <summary>Every worker blocks for a method that needs a worker to go on.</summary>
    public static void StartResult(int count)
    {
        Limit(6);
        for (int i = 0; i < 30; i++)
            Marks.Keep(Task.Run(() => GC.KeepAlive(AskAsync().At("result").Result)));
        Thread.Sleep(1200);
        Note();
    }

    /// <summary>The same without a limit, while more work comes all the time: the pool adds workers, and never catches up.</summary>
    public static void StartRescued(int count)
    {
        var feeder = new Thread(() =>
        {
            for (; ; )
            {
                for (int i = 0; i < 12; i++)
                    Marks.Keep(Task.Run(() => GC.KeepAlive(AskAsync().At("rescued").Result)));
                Thread.Sleep(100);
            }
        });
        feeder.IsBackground = true;
        feeder.Start();
        Thread.Sleep(2500);
        Note();
    }

    /// <summary>All workers compute small things, and more is queued than they can do at once: that is load.</summary>
    public static void StartFed(int count)
    {
        int workers = Math.Max(2, Environment.ProcessorCount);
        Limit(workers);
        for (int i = 0; i < 4 * workers; i++)
            Again();
        Thread.Sleep(1000);
        Note();
    }

    /// <summary>All workers compute something long, and nothing is queued.</summary>
    public static void StartComputing(int count)
    {
        int workers = Math.Max(2, Environment.ProcessorCount);
        Limit(workers);
        for (int i = 0; i < workers; i++)
            Marks.Keep(Task.Run(() => Compute(TimeSpan.FromMinutes(10))));
        Thread.Sleep(1500);
        Note();
    }

    /// <summary>All workers compute something long, and more of it is queued.</summary>
    public static void StartCrunching(int count)
    {
        int workers = Math.Max(2, Environment.ProcessorCount);
        Limit(workers);
        for (int i = 0; i < 3 * workers; i++)
            Marks.Keep(Task.Run(() => Compute(TimeSpan.FromMinutes(10))));
        Thread.Sleep(1500);
        Note();
    }

    /// <summary>Every item blocks for a moment, one after the other: workers are busy, and the queue moves.</summary>
    public static void StartBrief(int count)
    {
        Limit(4);
        for (int i = 0; i < 24; i++)
            BriefAgain();
        Thread.Sleep(1000);
        Note();
    }

    /// <summary>Some workers sleep, others are free.</summary>
    public static void StartRoomy(int count)
    {
        ThreadPool.SetMinThreads(16, 4);
        for (int i = 0; i < 6; i++)
            Marks.Keep(Task.Run(() => Thread.Sleep(Timeout.Infinite.At("roomy"))));
        Thread.Sleep(1000);
        Note();
    }

    /// <summary>All workers block, and what two methods waited for has happened: they need a worker to go on. Nothing else knows the semaphore and the channel.</summary>
    public static void StartGranted(int count)
    {
        Limit(4);
        var permit = new SemaphoreSlim(0);
        Channel<int> items = Channel.CreateUnbounded<int>();
        Marks.Keep(TakeAsync(permit));
        Marks.Keep(ReadAsync(items.Reader));
        for (int i = 0; i < 4; i++)
            ThreadPool.QueueUserWorkItem(_ => Never.Wait());
        Thread.Sleep(500);
        permit.Release();
        items.Writer.TryWrite(1);
        Note();
    }

    private static async Task TakeAsync(SemaphoreSlim permit) => await permit.WaitAsync().At("granted");

    private static async Task ReadAsync(ChannelReader<int> items) => await items.ReadAsync().At("written");

    private static void Note()
    {
        Marks.Here("pool.threads", ThreadPool.ThreadCount);
        Marks.Here("pool.queued", (int)ThreadPool.PendingWorkItemCount);
        ThreadPool.GetMaxThreads(out int most, out _);
        Marks.Here("pool.max", most);
    }

    private static void Limit(int workers)
    {
        ThreadPool.SetMinThreads(workers, 1);
        ThreadPool.SetMaxThreads(workers, 1);
    }

    private static void Again() => ThreadPool.UnsafeQueueUserWorkItem(_ =>
    {
        Compute(TimeSpan.FromMilliseconds(4));
        Again();
    }, null);

    private static void BriefAgain() => ThreadPool.UnsafeQueueUserWorkItem(_ =>
    {
        Thread.Sleep(5.At("brief"));
        BriefAgain();
    }, null);

    private static void Compute(TimeSpan time)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < time)
            _sink++;
    }

    private static async Task<int> AskAsync()
    {
        await Task.Delay(50).At("ask");
        return 3;
    }
}
