namespace Situations;

/// <summary>
/// Threads that wait for a CountdownEvent, an event, or at a Barrier: for somebody who waits for them, and for somebody who has ended. Their twins get the signal from a
/// timer, or from somebody who takes long.
/// </summary>
#pragma warning disable CA1001 // They live as long as the process.
public sealed class Signals
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);

    private readonly object _ledger = new();
    private readonly CountdownEvent _done = new(2);
    private readonly Barrier _round = new(2);
    private readonly AutoResetEvent _answered = new(false);
    private readonly ManualResetEvent _stopped = new(false);
    private Timer? _timer;

    /// <summary>The first waits for the second at the barrier, and has the lock that it needs before.</summary>
    public static void StartRound(int count) => Start(new(), all => [all.EnterRound, all.Meet]);

    /// <summary>One waits for signals, and has the lock that a worker needs before it signals.</summary>
    public static void StartCount(int count) => Start(new(), all => [all.EnterCount, all.Work, all.Quick]);

    /// <summary>A worker has failed before it signalled.</summary>
    public static void StartFailed(int count) => Start(new(), all => [all.Wait, all.Quick, all.Fail]);

    /// <summary>One of three who meet has left, and the others are tasks for which somebody waits.</summary>
    public static void StartLeft(int count) => Marks.Keep(new Signals().MeetAllAsync([0, 0, 1]));

    /// <summary>Not stuck: the third comes late.</summary>
    public static void StartLate(int count) => Marks.Keep(new Signals().MeetAllAsync([0, 0, 2]));

    /// <summary>Not a deadlock: a worker takes long, and one who comes late to a round.</summary>
    public static void StartBusy(int count) => Start(new(), all => [all.Wait, all.Quick, all.Slow, all.Arrive, all.Late]);

    /// <summary>Not a deadlock: a timer gives the last signal.</summary>
    public static void StartTimed(int count) => Start(new(), all => [all.Wait, all.Quick, all.SetTimer]);

    /// <summary>One waits for an event, and has the lock that another needs before it sets it.</summary>
    public static void StartSet(int count) => Start(new(), all => [all.EnterSet, () => all.Answer(TimeSpan.Zero)]);

    /// <summary>One blocks for an event with a semaphore; an async method needs that before it sets the event.</summary>
    public static void StartLoaded(int count)
    {
        var loader = new Loader();
        Marks.Keep(loader);
        Marks.Keep(loader.UseAsync());
        Marks.Keep(loader.LoadAsync());
        Thread.Sleep(500);
    }

    /// <summary>Not a deadlock: who sets the event takes long, one of two does, or nobody waits without a limit.</summary>
    public static void StartUnset(int count)
    {
        Start(new(), all => [all.EnterSet, () => all.Answer(Long)]);
        Start(new(), all => [all.EnterSet, () => all.Answer(TimeSpan.Zero), () => all.Answer(Long)]);
        Start(new(), all => [all.EnterBriefly, () => all.Answer(TimeSpan.Zero)]);
        Start(new(), all => [all.EnterEither, () => all.Answer(TimeSpan.Zero)]);
    }

    private static void Start(Signals all, Func<Signals, ThreadStart[]> threads)
    {
        Marks.Keep(all);
        foreach (ThreadStart thread in threads(all))
        {
            new Thread(() => Run(thread)) { IsBackground = true }.Start();
            Thread.Sleep(100);
        }
    }

    private static void Run(ThreadStart thread)
    {
        try
        {
            thread();
        }
        catch (InvalidOperationException)
        {
            Marks.Keep(new object());
        }
    }

    private void EnterRound()
    {
        lock (_ledger)
            _round.SignalAndWait();
    }

    private void EnterCount()
    {
        lock (_ledger)
            _done.Wait();
    }

    private void Wait() => _done.Wait();

    private void Arrive() => _round.SignalAndWait();

    private async Task MeetAllAsync(int[] ways)
    {
        using var all = new Barrier(ways.Length);
        await Task.WhenAll(ways.Select(way => Task.Factory.StartNew(() => Turn(all, way), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
    }

    private void Turn(Barrier all, int way)
    {
        Marks.Keep(_ledger);
        if (way == 2)
            Thread.Sleep(Long);
        if (way != 1)
            all.SignalAndWait();
    }

    private void SetTimer() => _timer = new(_ => _done.Signal(), null, Long, Timeout.InfiniteTimeSpan);

    private void Meet()
    {
        lock (_ledger)
            Thread.Yield();
        _round.SignalAndWait();
    }

    private void Work()
    {
        lock (_ledger)
            Thread.Yield();
        _done.Signal();
    }

    private void Quick() => _done.Signal();

    private void Fail()
    {
        if (_done.CurrentCount > 0)
            throw new InvalidOperationException("bad row");
        _done.Signal();
    }

    private void EnterSet()
    {
        lock (_ledger)
            _answered.WaitOne();
    }

    private void EnterBriefly()
    {
        lock (_ledger)
            _answered.WaitOne(Long);
    }

    private void EnterEither()
    {
        lock (_ledger)
            WaitHandle.WaitAny([_answered, _stopped]);
    }

    private void Answer(TimeSpan pause)
    {
        Thread.Sleep(pause);
        lock (_ledger)
            Thread.Yield();
        _answered.Set();
    }

    private void Slow()
    {
        Thread.Sleep(Long);
        _done.Signal();
    }

    private void Late()
    {
        Thread.Sleep(Long);
        _round.SignalAndWait();
    }

    private sealed class Loader
    {
        private readonly ManualResetEventSlim _loaded = new();
        private readonly SemaphoreSlim _one = new(1, 1);
        private int _uses;

        public async Task LoadAsync()
        {
            await Task.Delay(100);
            await _one.WaitAsync();
            _uses++;
            _one.Release();
            _loaded.Set();
        }

        public async Task UseAsync()
        {
            await _one.WaitAsync();
            try
            {
                await Task.Delay(10);
                _loaded.Wait();
                _uses++;
            }
            finally
            {
                _one.Release();
            }
        }
    }
}
