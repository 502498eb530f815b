namespace Situations;

/// <summary>Deadlocks of semaphores that methods hold over an await, and programs that look like them and go on.</summary>
public static class AsyncLocks
{
    private static readonly TaskCompletionSource Never = new();

    private sealed class Account : IDisposable
    {
        public readonly SemaphoreSlim Gate = new(1, 1);
        public void Dispose() => Gate.Dispose();
    }
    private static readonly Account Alice = new(), Bob = new(), Carol = new();
    private static readonly SemaphoreSlim Door = new(1, 1), Seats = new(2, 2), Desk = new(1, 1);
    private static readonly object Till = new();

    /// <summary>Two transfers between two accounts, in opposite directions; a third one waits behind them.</summary>
    public static void StartTransfers(int count)
    {
        var ready = new TaskCompletionSource();
        Marks.Keep(TransferAsync(Alice, Bob, ready.Task));
        Marks.Keep(TransferAsync(Bob, Alice, ready.Task));
        Marks.Keep(TransferAsync(Carol, Alice, ready.Task));
        ready.SetResult();
        Thread.Sleep(300);
    }

    private static async Task TransferAsync(Account from, Account to, Task ready)
    {
        await from.Gate.WaitAsync();
        try
        {
            await ready;
            await to.Gate.WaitAsync();
            try
            {
                await Never.Task;
            }
            finally
            {
                to.Gate.Release();
            }
        }
        finally
        {
            from.Gate.Release();
        }
    }

    /// <summary>A method takes what its caller holds.</summary>
    public static void StartReentrance(int count)
    {
        Marks.Keep(OuterAsync());
        Thread.Sleep(300);
    }

    private static async Task OuterAsync()
    {
        await Door.WaitAsync();
        try
        {
            await InnerAsync();
        }
        finally
        {
            Door.Release();
        }
    }

    private static async Task InnerAsync()
    {
        await Door.WaitAsync();
        try
        {
            await Never.Task;
        }
        finally
        {
            Door.Release();
        }
    }

    /// <summary>A thread blocks, while it holds a monitor, for a method that waits for a semaphore whose holder wants the monitor.</summary>
    public static void StartMonitor(int count)
    {
        using var held = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            lock (Till)
            {
                held.Set();
                Thread.Sleep(200);
                DeskAsync().Wait();
            }
        }) { IsBackground = true };
        thread.Start();
        held.Wait();
        Marks.Keep(Task.Run(BookAsync));
        Thread.Sleep(700);
    }

    private static async Task DeskAsync()
    {
        await Desk.WaitAsync();
        Desk.Release();
    }

    private static async Task BookAsync()
    {
        await Desk.WaitAsync();
        try
        {
            await Task.Yield();
            Count();
        }
        finally
        {
            Desk.Release();
        }
    }

    private static void Count()
    {
        lock (Till)
            GC.KeepAlive(Never);
    }

    /// <summary>Not a deadlock: all wait for one who waits for a timer.</summary>
    public static void StartSlowHolder(int count)
    {
        Marks.Keep(SlowAsync());
        for (int i = 0; i < 5; i++)
            Marks.Keep(QueueAsync());
        Thread.Sleep(300);
    }

    private static async Task SlowAsync()
    {
        await Door.WaitAsync();
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            Door.Release();
        }
    }

    private static async Task QueueAsync()
    {
        await Door.WaitAsync();
        Door.Release();
    }

    /// <summary>Not a deadlock: one of two permits is held by somebody who goes on.</summary>
    public static void StartTwoPermits(int count)
    {
        Marks.Keep(SeatTwiceAsync());
        Marks.Keep(SeatAndSleepAsync());
        Together.Meet();
        Thread.Sleep(300);
    }

    private static async Task SeatTwiceAsync()
    {
        await Seats.WaitAsync();
        try
        {
            await Together.Met;
            await Seats.WaitAsync();
            Seats.Release();
        }
        finally
        {
            Seats.Release();
        }
    }

    private static async Task SeatAndSleepAsync()
    {
        await Seats.WaitAsync();
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            Seats.Release();
        }
    }

    /// <summary>Both permits are held by methods that want a second one.</summary>
    public static void StartBothPermits(int count)
    {
        Marks.Keep(SeatTwiceAsync());
        Marks.Keep(SeatTwiceAsync());
        Together.Meet();
        Thread.Sleep(500);
    }

    /// <summary>Not a deadlock: the inner wait gives up.</summary>
    public static void StartImpatient(int count)
    {
        Marks.Keep(ImpatientAsync());
        Thread.Sleep(300);
    }

    private static async Task ImpatientAsync()
    {
        await Door.WaitAsync();
        try
        {
            await Task.Delay(50);
            await Door.WaitAsync(TimeSpan.FromHours(1));
        }
        finally
        {
            Door.Release();
        }
    }

    /// <summary>Not a deadlock: one consumer waits for a signal that the other gives later.</summary>
    public static void StartSignal(int count)
    {
        var signal = new SemaphoreSlim(0);
        Marks.Keep(WaitForSignalAsync(signal));
        Marks.Keep(SignalLaterAsync(signal));
        Thread.Sleep(300);
    }

    private static async Task WaitForSignalAsync(SemaphoreSlim signal)
    {
        await signal.WaitAsync();
        GC.KeepAlive(Never);
    }

    private static async Task SignalLaterAsync(SemaphoreSlim signal)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        signal.Release();
    }
}
