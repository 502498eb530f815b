namespace Situations;

/// <summary>
/// Threads that have resumed an async method and are in what it called: whatever it holds, they hold. A callback of a token, or a continuation that runs at once, blocks for
/// it. Their twins block for something else.
/// </summary>
#pragma warning disable CA1001 // They live as long as the process.
public sealed class Resumed
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource<int> _first = new();
    private int _done;

    /// <summary>The callback of a token waits for a method that needs the semaphore of who has cancelled.</summary>
    public static void StartCancel(int count)
    {
        var all = new Resumed();
        all._stop.Token.Register(() => all.FlushAsync().GetAwaiter().GetResult());
        Start(all, all.StopAsync());
    }

    /// <summary>Who waits for a promise goes on inside of SetResult, and needs the semaphore of who has set it.</summary>
    public static void StartInline(int count)
    {
        var all = new Resumed();
        Start(all, all.UseAsync(), all.LoadAsync());
    }

    /// <summary>No deadlock in any of them: a callback that takes long, and a semaphore that was given back before.</summary>
    public static void StartOther(int count)
    {
        // Enough for both.
        ThreadPool.SetMinThreads(8, 8);
        var slow = new Resumed();
        slow._stop.Token.Register(() => Thread.Sleep(TimeSpan.FromHours(1)));
        Start(slow, slow.StopAsync(), slow.FlushAsync());
        var free = new Resumed();
        free._stop.Token.Register(() => Thread.Sleep(TimeSpan.FromHours(1)));
        Start(free, free.LeaveAsync(), free.HoldAsync(), free.FlushAsync());
    }

    private static void Start(Resumed all, params Task[] tasks)
    {
        Marks.Keep(all);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(600);
    }

    private async Task FlushAsync()
    {
        await _gate.WaitAsync();
        _done++;
        _gate.Release();
    }

    private async Task StopAsync()
    {
        await _gate.WaitAsync();
        try
        {
            await Task.Delay(50);
            _stop.Cancel();
            _done++;
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task LeaveAsync()
    {
        await _gate.WaitAsync();
        await Task.Delay(50);
        _gate.Release();
        _stop.Cancel();
        _done++;
    }

    private async Task HoldAsync()
    {
        await _gate.WaitAsync();
        await Task.Delay(TimeSpan.FromHours(1));
        _done++;
        _gate.Release();
    }

    private async Task LoadAsync()
    {
        await _gate.WaitAsync();
        try
        {
            await Task.Delay(50);
            _first.SetResult(1);
            _done++;
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task UseAsync()
    {
        int first = await _first.Task;
        Count(first);
    }

    private void Count(int first)
    {
        _gate.Wait();
        _done += first;
        _gate.Release();
    }
}
