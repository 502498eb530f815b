namespace Situations;

/// <summary>An async method that blocks its thread at a lock which another async method holds.</summary>
public static class Locked
{
    private static readonly object Till = new();
    private static readonly ManualResetEventSlim Taken = new();
    private static readonly ManualResetEventSlim Never = new();

    public static void Start(int count)
    {
        Marks.Keep(HoldAsync());
        Taken.Wait();
        Marks.Keep(WantAsync());
        Thread.Sleep(500);
    }

    private static async Task HoldAsync()
    {
        await Task.Delay(5);
        lock (Till)
        {
            Taken.Set();
            Never.At("hold").Wait();
        }
    }

    private static async Task WantAsync()
    {
        await Task.Delay(5);
        lock (Till.At("want"))
        {
            GC.KeepAlive(Till);
        }
    }

    /// <summary>A lock whose owner thread has ended, and one that wants it.</summary>
    public static void StartDeadOwner(int count)
    {
        var owner = new Thread(() => Enter(Left)) { IsBackground = true };
        owner.Start();
        owner.Join();
        new Thread(() => Enter(Left)) { IsBackground = true }.Start();
        Thread.Sleep(500);
    }

    /// <summary>The same with a monitor, with a lock for readers and writers, and with one that was taken to read; each has a twin whose owner waits.</summary>
    public static void StartDeadOwners(int count)
    {
        Run(() => Monitor.Enter(LeftMonitor), ends: true);
        Run(() => Monitor.Enter(LeftMonitor));
        Run(LeftWriter.EnterWriteLock, ends: true);
        Run(LeftWriter.EnterReadLock);
        Run(LeftReader.EnterReadLock, ends: true);
        Run(LeftReader.EnterReadLock);
        Run(LeftReader.EnterWriteLock);
        Run(LeftUpgrader.EnterUpgradeableReadLock, ends: true);
        Run(LeftUpgrader.EnterWriteLock);
        Run(() => Monitor.Enter(HeldMonitor));
        Run(() => Monitor.Enter(HeldMonitor));
        Run(HeldReader.EnterReadLock);
        Run(HeldReader.EnterReadLock);
        Run(HeldReader.EnterWriteLock);
        Run(HeldReader.EnterReadLock);
        Run(HeldUpgrader.EnterReadLock);
        Run(HeldUpgrader.EnterUpgradeableReadLock);
        Run(HeldUpgrader.EnterWriteLock);
        // The runtime forgets a thread that has ended when its object is finalized, and gives its id to the next one that starts.
        for (int i = 0; i < 3 && count == 1; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Thread.Sleep(500);
    }

    private static readonly object LeftMonitor = new(), HeldMonitor = new();
    private static readonly ReaderWriterLockSlim LeftWriter = new(), LeftReader = new(), LeftUpgrader = new(), HeldReader = new(), HeldUpgrader = new();

    // A thread that enters, and then ends or stays.
    private static void Run(Action enter, bool ends = false)
    {
        var thread = new Thread(() => EnterAndStay(enter, ends)) { IsBackground = true };
        thread.Start();
        if (ends)
            thread.Join();
        else
            Thread.Sleep(50);
    }

    private static void EnterAndStay(Action enter, bool ends)
    {
        enter();
        if (!ends)
            Thread.Sleep(Timeout.Infinite);
    }

    private static readonly Lock Left = new();

#if NET9_0_OR_GREATER
    private static void Enter(Lock left) => left.Enter();
#else
    private static void Enter(Lock left) => Monitor.Enter(left);
#endif
}
