namespace Situations;

/// <summary>Threads that hold what others want.</summary>
public static class Jams
{
    private static readonly object Till = new();
    private static readonly object Drawer = new();
    private static readonly ManualResetEventSlim Never = new();

    /// <summary>Two threads want each other's lock, and a third one waits outside of the circle.</summary>
    public static void StartPair(int count)
    {
        using var both = new Barrier(2);
        var first = new Thread(() => TillFirst(both)) { IsBackground = true };
        var second = new Thread(() => DrawerFirst(both)) { IsBackground = true };
        first.Start();
        second.Start();
        Thread.Sleep(300);
        new Thread(Outside) { IsBackground = true }.Start();
        Thread.Sleep(300);
    }

    /// <summary>One thread sleeps in a lock that many others want.</summary>
    public static void StartConvoy(int count)
    {
        using var held = new ManualResetEventSlim();
        new Thread(() => Sleepy(held)) { IsBackground = true }.Start();
        held.Wait();
        for (int i = 0; i < (count == 0 ? 20 : count); i++)
            new Thread(Queue) { IsBackground = true }.Start();
        Thread.Sleep(500);
    }

    /// <summary>A circle over both worlds: a thread holds a lock and waits for a task whose method waits for the lock on another thread.</summary>
    public static void StartMixed(int count)
    {
        using var held = new ManualResetEventSlim();
        new Thread(() => Cashier(held)) { IsBackground = true }.Start();
        held.Wait();
        Thread.Sleep(500);
    }

    /// <summary>Two threads want each other's lock, but only for a while.</summary>
    public static void StartPatient(int count)
    {
        using var both = new Barrier(2);
        new Thread(() => Patient(Till, Drawer, both)) { IsBackground = true }.Start();
        new Thread(() => Patient(Drawer, Till, both)) { IsBackground = true }.Start();
        Thread.Sleep(300);
    }

    private static void TillFirst(Barrier both)
    {
        lock (Till)
        {
            both.SignalAndWait();
            lock (Drawer.At("drawer"))
                GC.KeepAlive(both);
        }
    }

    private static void DrawerFirst(Barrier both)
    {
        lock (Drawer)
        {
            both.SignalAndWait();
            lock (Till.At("till"))
                GC.KeepAlive(both);
        }
    }

    private static void Outside()
    {
        lock (Till.At("outside"))
            GC.KeepAlive(Till);
    }

    private static void Sleepy(ManualResetEventSlim held)
    {
        lock (Till)
        {
            held.Set();
            Thread.Sleep(Timeout.Infinite.At("sleepy"));
        }
    }

    private static void Queue()
    {
        lock (Till.At("queue"))
            GC.KeepAlive(Till);
    }

    private static void Cashier(ManualResetEventSlim held)
    {
        lock (Till)
        {
            Task paying = PayAsync();
            held.Set();
            paying.At("cashier").Wait();
        }
        GC.KeepAlive(held);
    }

    private static async Task PayAsync()
    {
        await Task.Delay(50);
        await CountAsync().At("pay");
        GC.KeepAlive(Till);
    }

    private static async Task CountAsync()
    {
        await Task.Delay(50);
        lock (Till.At("count"))
            GC.KeepAlive(Till);
        await Task.Yield();
    }

    private static void Patient(object mine, object other, Barrier both)
    {
        lock (mine)
        {
            both.SignalAndWait();
            Monitor.TryEnter(other.At("patient"), TimeSpan.FromHours(1));
            Never.Wait();
        }
    }

    /// <summary>A thread takes back a callback while it holds the lock that the callback wants: it waits until the callback is over.</summary>
    public static void StartRecalled(int count)
    {
        using var both = new Barrier(2);
        var source = new CancellationTokenSource();
        CancellationTokenRegistration registration = source.Token.Register(() => Recalled(both));
        new Thread(source.Cancel) { IsBackground = true }.Start();
        new Thread(() => Recall(registration, both)) { IsBackground = true }.Start();
        Thread.Sleep(500);
    }

    private static void Recalled(Barrier both)
    {
        both.SignalAndWait();
        Thread.Sleep(100);
        lock (Till.At("recalled"))
            GC.KeepAlive(both);
    }

    private static void Recall(CancellationTokenRegistration registration, Barrier both)
    {
        lock (Till)
        {
            both.SignalAndWait();
            registration.Dispose();
        }
    }
}
