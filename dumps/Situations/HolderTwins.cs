namespace Situations;

/// <summary>
/// Semaphores that look held and are not, or not by whom they seem to be: signals, queues, what was given back before the await, leaks. No mark says
/// <c>held</c> where nobody holds.
/// </summary>
#pragma warning disable CA1001, CA2000 // It lives as long as the process.
public sealed class HolderTwins
#pragma warning restore CA1001
{
    private readonly TaskCompletionSource _never = new();
    private readonly TaskCompletionSource _fails = new();
    private readonly TaskCompletionSource _goesOn = new();
    private readonly SemaphoreSlim _signal = new SemaphoreSlim(0, 1).Named("Signal");
    private readonly SemaphoreSlim _openSignal = new SemaphoreSlim(0).Named("OpenSignal");
    private readonly SemaphoreSlim _queue = new SemaphoreSlim(0).Named("Queue");
    private readonly SemaphoreSlim _leaked = new SemaphoreSlim(1, 1).Named("Leaked");
    private readonly SemaphoreSlim _openLeaked = new SemaphoreSlim(1).Named("OpenLeaked");
    private readonly SemaphoreSlim _released = new SemaphoreSlim(1, 1).Named("Released");
    private readonly SemaphoreSlim _balanced = new SemaphoreSlim(1, 1).Named("Balanced");
    private readonly SemaphoreSlim _timeout = new SemaphoreSlim(1, 1).Named("Timeout");
    private readonly SemaphoreSlim _onThread = new SemaphoreSlim(1, 1).Named("OnThread");
    private readonly SemaphoreSlim _stored = new SemaphoreSlim(1, 1).Named("Stored");
    private readonly SemaphoreSlim _either = new SemaphoreSlim(1, 1).Named("Either");
    private readonly SemaphoreSlim _other = new SemaphoreSlim(1, 1).Named("Other");
    private readonly List<IDisposable> _sessions = [];
    private readonly bool _withoutThread;
    private int _worked;

    public static void Start(int count) => Start(new HolderTwins(withoutThread: false));

    /// <summary>The same without a thread that holds one: all that could be decided was.</summary>
    public static void StartWithoutThread(int count) => Start(new HolderTwins(withoutThread: true));

    private HolderTwins(bool withoutThread) => _withoutThread = withoutThread;

    private static void Start(HolderTwins all)
    {
        Marks.Keep(all);
        all.StartFirst();
        Thread.Sleep(300);
        all._fails.SetException(new InvalidOperationException("fails"));
        all._goesOn.SetResult();
        Thread.Sleep(300);
        all.StartWaiters();
        Thread.Sleep(300);
    }

    private void StartFirst()
    {
        Marks.Keep(SignalAsync(_signal));
        Marks.Keep(SignalAsync(_openSignal));
        Marks.Keep(SignalLaterAsync(_signal));
        Marks.Keep(ConsumeAsync());
        Marks.Keep(ProduceAsync());
        Marks.Keep(LeakAsync(_leaked));
        Marks.Keep(LeakAsync(_openLeaked));
        Marks.Keep(HoldReleasedAsync());
        Marks.Keep(ReleasedBeforeAsync());
        Marks.Keep(HoldBalancedAsync());
        Marks.Keep(BalancedLaterAsync());
        Marks.Keep(HoldTimeoutAsync());
        Marks.Keep(WaitWithTimeoutAsync());
        Marks.Keep(StoreAsync());
        Marks.Keep(EitherAsync(true));
        Marks.Keep(EitherAsync(false));
        if (!_withoutThread)
            new Thread(HoldOnThread) { IsBackground = true }.Start();
    }

    private void StartWaiters()
    {
        foreach (SemaphoreSlim semaphore in (SemaphoreSlim[])[_leaked, _openLeaked, _released, _balanced, _timeout, _stored, _either, _other])
            Marks.Keep(WaitAsync(semaphore));
        if (!_withoutThread)
            Marks.Keep(WaitAsync(_onThread));
    }

    private static async Task<int> WaitAsync(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync();
        semaphore.Release();
        return 1;
    }

    private Task Work() => _never.Task;

    // Waits for a signal; it gives nothing back.
    private async Task SignalAsync(SemaphoreSlim signal)
    {
        await signal.WaitAsync();
        _worked++;
    }

    // Signals when its work is done: it owes one, but has taken none.
    private async Task SignalLaterAsync(SemaphoreSlim signal)
    {
        await Work().At("signals");
        signal.Release();
    }

    private async Task ConsumeAsync()
    {
        while (true)
        {
            await _queue.WaitAsync();
            _worked++;
        }
    }

    private async Task ProduceAsync()
    {
        await Work();
        _worked++;
        _queue.Release();
    }

    // What is thrown behind the acquisition leaves it taken.
    private async Task LeakAsync(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        await _fails.Task;
        gate.Release();
    }

    private async Task HoldReleasedAsync()
    {
        await _goesOn.Task;
        await _released.WaitAsync();
        try
        {
            await Work().At("held:Released");
        }
        finally
        {
            _released.Release();
        }
    }

    // Had it, and gave it back.
    private async Task ReleasedBeforeAsync()
    {
        await _released.WaitAsync();
        _worked++;
        _released.Release();
        await Work();
        _worked++;
    }

    private async Task HoldBalancedAsync()
    {
        await _balanced.WaitAsync();
        try
        {
            await Work().At("held:Balanced");
        }
        finally
        {
            _balanced.Release();
        }
    }

    // Will take it and give it back, later, in a callee.
    private async Task BalancedLaterAsync()
    {
        await Work();
        await BalanceAsync();
        _worked++;
    }

    private async Task BalanceAsync()
    {
        await _balanced.WaitAsync();
        try
        {
            _worked++;
        }
        finally
        {
            _balanced.Release();
        }
    }

    private async Task HoldTimeoutAsync()
    {
        await _timeout.WaitAsync();
        try
        {
            await Work().At("held:Timeout");
        }
        finally
        {
            _timeout.Release();
        }
    }

    private async Task WaitWithTimeoutAsync()
    {
        if (!await _timeout.WaitAsync(TimeSpan.FromHours(1)))
            return;
        try
        {
            _worked++;
        }
        finally
        {
            _timeout.Release();
        }
    }

    private void HoldOnThread()
    {
        _onThread.Wait();
        try
        {
            Marks.Here("held:OnThread"); Thread.Sleep(Timeout.Infinite);
        }
        finally
        {
            _onThread.Release();
        }
    }

    // Somebody else disposes it some day.
    private async Task StoreAsync()
    {
        await _stored.WaitAsync();
        _sessions.Add(new Session(_stored));
        await Work();
        _worked++;
    }

    // One of two: which one is a variable of the frame.
    private async Task EitherAsync(bool first)
    {
        SemaphoreSlim gate = first ? _either : _other;
        await gate.WaitAsync();
        try
        {
            await Work().At("held:Either,Other");
        }
        finally
        {
            gate.Release();
        }
    }

    private sealed class Session(SemaphoreSlim semaphore) : IDisposable
    {
        public void Dispose() => semaphore.Release();
    }
}
