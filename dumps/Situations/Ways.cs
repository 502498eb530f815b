using System.Collections.Concurrent;

namespace Situations;

/// <summary>Ways out of a lock: the end of a timer's callback, a delegate, the thread that took it. In each, nobody goes on; in the twins somebody takes long.</summary>
#pragma warning disable CA1001 // They live as long as the process.
public static class Ways
{
    private const ThreadState Waits = ThreadState.WaitSleepJoin;

    private static readonly object Ledger = new(), Held = new(), Split = new();
    private static readonly Lock Sync = new();
    private static readonly ReaderWriterLockSlim Rows = new(), Rates = new();
    private static readonly BlockingCollection<int> Asked = [];
    private static volatile bool s_isTaken, s_wasLeft;
    private static int _sum;

    /// <summary>A timer is disposed of under the gate for which its callback blocks.</summary>
    public static void StartTimer(int count)
    {
        new Heartbeat(isSlow: false).Begin();
    }

    /// <summary>What is taken is given back by calling a delegate: two, in the other order.</summary>
    public static void StartAction(int count)
    {
        Quota cpu = new(), disk = new();
        Marks.Keep(cpu);
        Together.Start(all => ReportAsync(cpu, disk, all), all => ReportAsync(disk, cpu, all));
    }

    /// <summary>A monitor is taken before an await, and the method goes on in another thread.</summary>
    public static void StartLeft(int count)
    {
        var all = new TaskCompletionSource();
        Run(() => Post(all.Task));
        all.SetResult();
        Run(Sum);
    }

    /// <summary>A lock for readers is taken before an await, in a method that the thread calls again and again; and who wants to write waits.</summary>
    public static void StartLeftReader(int count)
    {
        Asked.Add(1);
        Run(Serve);
        SpinWait.SpinUntil(() => s_wasLeft);
        Run(Replace);
    }

    /// <summary>A thread is joined that wants the lock, and a task is waited for that wants to write what its waiter reads; in methods that the JIT puts into their callers.</summary>
    public static void StartJoin(int count)
    {
        var writer = new Thread(Write) { IsBackground = true };
        writer.Start();
        Run(() => Close(writer));
        SpinWait.SpinUntil(() => (writer.ThreadState & Waits) != 0);
        Run(Read);
        SpinWait.SpinUntil(() => Rows.WaitingWriteCount > 0);
    }

    /// <summary>Healthy: the callback takes long, the same order, and threads that will leave.</summary>
    public static void StartAlike(int count)
    {
        new Heartbeat(isSlow: true).Begin();
        Quota cpu = new(), disk = new();
        Marks.Keep(cpu);
        Marks.Keep(StayAsync(disk));
        Together.Start(all => ReportAsync(cpu, disk, all));
        Marks.Keep(ReportAsync(cpu, disk, Task.CompletedTask));
        Run(HoldOutside);
        Run(HoldBetween);
        Run(() => Want(Held));
        Run(() => Want(Split));
        Asked.Add(1);
        Run(ServeLong);
        Run(Replace);
    }

    private static void Serve()
    {
        foreach (int key in Asked.GetConsumingEnumerable())
        {
            try
            {
                _sum += LookUpAsync(key).GetAwaiter().GetResult();
            }
            catch (SynchronizationLockException)
            {
                s_wasLeft = true;
            }
        }
    }

    private static void ServeLong()
    {
        foreach (int key in Asked.GetConsumingEnumerable())
        {
            Rates.EnterReadLock();
            try
            {
                Thread.Sleep(TimeSpan.FromHours(key));
            }
            finally
            {
                Rates.ExitReadLock();
            }
        }
    }

    private static async Task<int> LookUpAsync(int key)
    {
        Rates.EnterReadLock();
        try
        {
            await Task.Delay(20);
            return key;
        }
        finally
        {
            Rates.ExitReadLock();
        }
    }

    private static void Replace()
    {
        Rates.EnterWriteLock();
        try
        {
            _sum = 0;
        }
        finally
        {
            Rates.ExitWriteLock();
        }
    }

    private static void Write()
    {
        while (!s_isTaken)
            Thread.Yield();
        lock (Sync)
            _sum++;
    }

    private static void Close(Thread writer)
    {
        lock (Sync)
        {
            s_isTaken = true;
            End(writer);
        }
    }

    private static void End(Thread writer) => writer.Join();

    private static void Read()
    {
        Rows.EnterReadLock();
        try
        {
            _sum += Refreshed();
        }
        finally
        {
            Rows.ExitReadLock();
        }
    }

    private static int Refreshed() => RefreshAsync().GetAwaiter().GetResult();

    private static async Task<int> RefreshAsync()
    {
        await Task.Yield();
        Rows.EnterWriteLock();
        try
        {
            return _sum;
        }
        finally
        {
            Rows.ExitWriteLock();
        }
    }

    // When this returns, the thread waits.
    private static void Run(Action work)
    {
        var thread = new Thread(() => work()) { IsBackground = true };
        thread.Start();
        SpinWait.SpinUntil(() => (thread.ThreadState & Waits) != 0);
    }

    private static void Post(Task all)
    {
        Marks.Keep(PostAsync(all));
        Thread.Sleep(Timeout.Infinite);
    }

    private static async Task PostAsync(Task all)
    {
        Monitor.Enter(Ledger);
        try
        {
            await all;
            _sum++;
        }
        finally
        {
            try
            {
                Monitor.Exit(Ledger);
            }
            catch (SynchronizationLockException)
            {
                _sum--;
            }
        }
    }

    private static void Sum()
    {
        lock (Ledger)
            _sum++;
    }

    private static void Want(object gate)
    {
        lock (gate)
            _sum++;
    }

    private static void HoldOutside()
    {
        lock (Held)
            Stay();
    }

    private static void HoldBetween()
    {
        Begin();
        Stay();
        End();
    }

    private static void Begin() => Monitor.Enter(Split);

    private static void End() => Monitor.Exit(Split);

    private static void Stay() => Thread.Sleep(Timeout.Infinite);

    private static async Task ReportAsync(Quota first, Quota second, Task all)
    {
        Action freeFirst = await first.TakeAsync();
        await all;
        Action freeSecond = await second.TakeAsync();
        _sum++;
        freeSecond();
        freeFirst();
    }

    private static async Task StayAsync(Quota own)
    {
        Action free = await own.TakeAsync();
        await Task.Delay(TimeSpan.FromHours(1));
        free();
    }

    private sealed class Quota
    {
        private readonly SemaphoreSlim _left = new(1, 1);

        public async Task<Action> TakeAsync()
        {
            await _left.WaitAsync();
            return () => _left.Release();
        }
    }

    private sealed class Heartbeat(bool isSlow)
    {
        private readonly SemaphoreSlim _gate = new(1, 1);
        private volatile Thread? _thread;
        private Timer? _timer;

        public void Begin()
        {
            Marks.Keep(this);
            Together.Start(EndAsync);
        }

        private void Beat()
        {
            _thread = Thread.CurrentThread;
            if (isSlow)
                Stay();
            _gate.Wait();
            _sum++;
            _gate.Release();
        }

        private async Task EndAsync(Task all)
        {
            await _gate.WaitAsync();
            try
            {
                _timer = new Timer(_ => Beat(), null, 0, Timeout.Infinite);
                SpinWait.SpinUntil(() => _thread is { } thread && (thread.ThreadState & Waits) != 0);
                await all;
                await _timer.DisposeAsync();
            }
            finally
            {
                _gate.Release();
            }
        }
    }
}
