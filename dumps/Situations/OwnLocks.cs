namespace Situations;

/// <summary>Locks that a program made itself, of a queue of TaskCompletionSources and a number. Each deadlock has a twin that is none; what looks like one is a signal.</summary>
#pragma warning disable CA1001, CA2000, CA1859, CA1815, CA1822 // They live as long as the process, and types are what this is about.
public static partial class OwnLocks
{
    private static readonly QueueLock First = new(), Second = new();
    private static readonly ReleaserLock Left = new(), Right = new();
    private static readonly CountLock Seats = new(2);
    private static readonly Bell Ring = new(), Answer = new();
    private static int _worked;

    /// <summary>It waits for what its caller holds.</summary>
    public static void StartReentrant(int count) => Start(OuterAsync());

    /// <summary>Two, in the other order; an object releases.</summary>
    public static void StartPair(int count) => Start(NestAsync(Left, Right), NestAsync(Right, Left));

    /// <summary>Who waits is suspended in a method of the lock itself, whose queue is a class of its own.</summary>
    public static void StartOwnQueue(int count)
    {
        var a = new PatientLock();
        var b = new PatientLock();
        Start(CrossAsync(a, b), CrossAsync(b, a));
    }

    /// <summary>Two permits; two who each have one, and want another.</summary>
    public static void StartCounted(int count) => Start(SeatAsync(), SeatAsync());

    /// <summary>Taken, and never given back.</summary>
    public static void StartLost(int count) => Start(FailAsync(), InnerAsync());

    /// <summary>Not a deadlock: one of them takes long.</summary>
    public static void StartSlow(int count)
    {
        var a = new PatientLock();
        Start(SleepAsync(), InnerAsync(), InnerAsync(), NestAsync(Left, Right), StayAsync(Right), NestAsync(Left, Right), PatientAsync(a), CrossAsync(new PatientLock(), a));
    }

    /// <summary>Two readers who want to write: each waits until the other one has left.</summary>
    public static void StartShared(int count)
    {
        var table = new SharedLock();
        Marks.Keep(table);
        Together.Start(all => RaiseAsync(table, all), all => RaiseAsync(table, all));
    }

    /// <summary>Not a deadlock: a reader takes long, a writer waits for it, and others for the writer.</summary>
    public static void StartSharedSlow(int count)
    {
        var table = new SharedLock();
        Marks.Keep(table);
        Start(ReadAsync(table, TimeSpan.FromHours(1)), WriteAsync(table), ReadAsync(table, TimeSpan.Zero), WriteAsync(table));
    }

    /// <summary>Not a deadlock: signals, given by others; a timer rings.</summary>
    public static void StartSignals(int count)
    {
        Marks.Keep(new Timer(_ => Ring.Set(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        Start(ListenAsync(Ring, Answer), ListenAsync(Answer, Ring));
    }

    private static void Start(params Task[] tasks)
    {
        foreach (Task task in tasks)
            Marks.Keep(task);
        Together.Meet();
        Thread.Sleep(500);
    }

    private static async Task OuterAsync()
    {
        await First.EnterAsync();
        try
        {
            await Task.Delay(20);
            await InnerAsync();
        }
        finally
        {
            First.Exit();
        }
    }

    private static async Task InnerAsync()
    {
        await First.EnterAsync();
        try
        {
            _worked++;
        }
        finally
        {
            First.Exit();
        }
    }

    private static async Task SleepAsync()
    {
        await First.EnterAsync();
        await Task.Delay(TimeSpan.FromHours(1));
        First.Exit();
    }

    private static async Task FailAsync()
    {
        await First.EnterAsync();
        if (_worked == 0)
            throw new InvalidOperationException();
        First.Exit();
    }

    private static async Task NestAsync(ReleaserLock outer, ReleaserLock inner)
    {
        using (await outer.LockAsync())
        {
            await Together.Met;
            using (await inner.LockAsync())
                _worked++;
        }
    }

    private static async Task StayAsync(ReleaserLock own)
    {
        using (await own.LockAsync())
            await Task.Delay(TimeSpan.FromHours(1));
    }

    private static async Task CrossAsync(PatientLock from, PatientLock to)
    {
        await from.EnterAsync();
        await Together.Met;
        await to.EnterAsync();
        _worked++;
        to.Leave();
        from.Leave();
    }

    private static async Task PatientAsync(PatientLock own)
    {
        await own.EnterAsync();
        await Task.Delay(TimeSpan.FromHours(1));
        own.Leave();
    }

    private static async Task SeatAsync()
    {
        await Seats.WaitAsync();
        await Together.Met;
        await Seats.WaitAsync();
        _worked++;
        Seats.Release();
        Seats.Release();
    }

    private static async Task RaiseAsync(SharedLock table, Task all)
    {
        await table.ReadAsync();
        await all;
        await table.WriteAsync();
        _worked++;
        table.Leave();
        table.Leave();
    }

    private static async Task ReadAsync(SharedLock table, TimeSpan time)
    {
        await table.ReadAsync();
        await Task.Delay(time);
        table.Leave();
    }

    private static async Task WriteAsync(SharedLock table)
    {
        await table.WriteAsync();
        _worked++;
        table.Leave();
    }

    private static async Task ListenAsync(Bell bell, Bell next)
    {
        for (; ; )
        {
            await bell.WaitAsync();
            _worked++;
            next.Set();
        }
    }
}
