namespace Situations;

/// <summary>
/// Deadlocks of semaphores that methods get as arguments, or inside of them, and their twins: what was given back before the await, what was only tried,
/// what was taken on one of two ways. Variables of a state machine are fields, and its MoveNext is entered once for each await.
/// </summary>
public static class Passed
{
    private static readonly TaskCompletionSource Never = new();
    private static int _worked;

    /// <summary>Each holds its first one.</summary>
    public static void StartDirect(int count)
    {
        SemaphoreSlim a = new(1, 1), b = new(1, 1);
        Start(TransferAsync(a, b), TransferAsync(b, a));
    }

    /// <summary>The same without a maximum: nobody knows how many permits there are.</summary>
    public static void StartUnbounded(int count)
    {
        SemaphoreSlim a = new(1), b = new(1);
        Start(TransferAsync(a, b), TransferAsync(b, a));
    }

    private static async Task TransferAsync(SemaphoreSlim from, SemaphoreSlim to)
    {
        await from.WaitAsync();
        try
        {
            await Together.Met;
            await to.WaitAsync();
            try
            {
                await Never.Task;
            }
            finally
            {
                to.Release();
            }
        }
        finally
        {
            from.Release();
        }
    }

    /// <summary>Semaphores are in objects that are passed.</summary>
    public static void StartInside(int count)
    {
        Purse a = new(), b = new();
        Start(MoveAsync(a, b, 1), MoveAsync(b, a, 2));
    }

    private static async Task<int> MoveAsync(Purse from, Purse to, int amount)
    {
        await from.EnterAsync();
        try
        {
            if (amount > 0)
                await Together.Met;
            for (int i = 0; i < amount; i++)
            {
                await Task.Yield();
                _worked++;
            }
            await to.EnterAsync();
            try
            {
                to.Amount += amount;
                return amount;
            }
            finally
            {
                to.Leave();
            }
        }
        finally
        {
            from.Leave();
        }
    }

    /// <summary>In one loop, many times, and without <c>try</c>.</summary>
    public static void StartLooped(int count)
    {
        SemaphoreSlim a = new(1, 1), b = new(1, 1);
        Start(AgainAsync(a, b), AgainAsync(b, a));
    }

    private static async Task AgainAsync(SemaphoreSlim first, SemaphoreSlim second)
    {
        while (_worked >= 0)
        {
            await first.WaitAsync().ConfigureAwait(false);
            await Task.Delay(20).ConfigureAwait(false);
            await second.WaitAsync().ConfigureAwait(false);
            _worked++;
            second.Release();
            first.Release();
            await Task.Delay(20);
        }
    }

    /// <summary>Not a deadlock: the first one is given back before the second is waited for, which somebody holds who sleeps.</summary>
    public static void StartReleased(int count)
    {
        SemaphoreSlim a = new(1, 1), b = new(1, 1);
        Start(SleepAsync(a), SleepAsync(b), OneByOneAsync(a, b), OneByOneAsync(b, a));
    }

    private static async Task SleepAsync(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            gate.Release();
        }
    }

    private static async Task OneByOneAsync(SemaphoreSlim first, SemaphoreSlim second)
    {
        await first.WaitAsync();
        try
        {
            await Task.Delay(20);
        }
        finally
        {
            first.Release();
        }
        await second.WaitAsync();
        try
        {
            await Task.Delay(20);
            _worked++;
        }
        finally
        {
            second.Release();
        }
    }

    /// <summary>Not a deadlock: what was tried was not got, and each goes on without it.</summary>
    public static void StartTried(int count)
    {
        SemaphoreSlim a = new(1, 1), b = new(1, 1);
        Start(SleepAsync(a), SleepAsync(b), TryAsync(a, b), TryAsync(b, a));
    }

    private static async Task TryAsync(SemaphoreSlim first, SemaphoreSlim second)
    {
        bool has = await first.WaitAsync(0);
        try
        {
            await Task.Delay(20);
            await second.WaitAsync();
            _worked++;
            second.Release();
        }
        finally
        {
            if (has)
                first.Release();
        }
    }

    /// <summary>Not a deadlock: only one of them takes its first one.</summary>
    public static void StartConditional(int count)
    {
        SemaphoreSlim a = new(1, 1), b = new(1, 1);
        Start(SleepAsync(b), PerhapsAsync(a, b, true), PerhapsAsync(b, a, false));
    }

    private static async Task PerhapsAsync(SemaphoreSlim first, SemaphoreSlim second, bool takes)
    {
        if (takes)
            await first.WaitAsync();
        try
        {
            await Task.Delay(20);
            await second.WaitAsync();
            _worked++;
            second.Release();
        }
        finally
        {
            if (takes)
                first.Release();
        }
    }

    /// <summary>Not a deadlock: a semaphore without a maximum had two permits, and the other is held by one who sleeps.</summary>
    public static void StartTwo(int count)
    {
        SemaphoreSlim a = new(2), b = new(2);
        Start(SleepAsync(a), SleepAsync(b), TransferAsync(a, b), TransferAsync(b, a));
    }

    private static void Start(params Task[] tasks)
    {
        foreach (Task task in tasks)
            Marks.Keep(task);
        Together.Meet();
        Thread.Sleep(500);
    }

    private sealed class Purse
    {
        private readonly SemaphoreSlim _gate = new(1, 1);

        public int Amount { get; set; }

        public Task EnterAsync() => _gate.WaitAsync();

        public void Leave() => _gate.Release();
    }
}
