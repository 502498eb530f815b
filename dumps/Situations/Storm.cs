namespace Situations;

/// <summary>
/// The chains of <see cref="Churn"/>, and around them what a runtime has to stop the world for: blocking collections one after the other, threads that
/// come and go, and a pool that gets more threads all the time.
/// </summary>
public static class Storm
{
    private const int MostBlocked = 100;

    private static int blocked;

    public static void Start(int count)
    {
        Churn.Start(count);
        ThreadPool.SetMinThreads(MostBlocked * 2, 8);
        new Thread(Collect) { IsBackground = true }.Start();
        new Thread(Grow) { IsBackground = true }.Start();
    }

    private static void Collect()
    {
        for (int generation = 0; ; generation = (generation + 1) % 3)
        {
            GC.Collect(generation, GCCollectionMode.Forced, blocking: true);
            Thread.Sleep(2);
        }
    }

    private static void Grow()
    {
        while (true)
        {
            new Thread(() => Thread.Sleep(20)) { IsBackground = true }.Start();
            if (Volatile.Read(ref blocked) < MostBlocked)
            {
                Interlocked.Increment(ref blocked);
                ThreadPool.QueueUserWorkItem(_ =>
                {
                    Thread.Sleep(500);
                    Interlocked.Decrement(ref blocked);
                });
            }
            Thread.Sleep(5);
        }
    }
}
