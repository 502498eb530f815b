namespace Situations;

/// <summary>A lock that is handed to one who has given up: nobody has it, and others come, wait and give up.</summary>
public static partial class OwnLocks
{
    /// <summary>Some wait for ever, and some for a short time, again and again.</summary>
    public static void StartHanded(int count)
    {
        var all = new HandedLock();
        Marks.Keep(all);
        Keep(HoldAsync(all, TimeSpan.FromMilliseconds(300)), LeaveAsync(all, TimeSpan.FromMilliseconds(100), 1));
        Keep(ReloadAsync(all), ReloadAsync(all), LeaveAsync(all, TimeSpan.FromMilliseconds(200), int.MaxValue));
    }

    /// <summary>Not stuck: who has it takes long.</summary>
    public static void StartHandedSlow(int count)
    {
        var all = new HandedLock();
        Marks.Keep(all);
        Keep(HoldAsync(all, TimeSpan.FromHours(1)), ReloadAsync(all), ReloadAsync(all), LeaveAsync(all, TimeSpan.FromMilliseconds(200), int.MaxValue));
    }

    private static void Keep(params Task[] tasks)
    {
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(500);
    }

    private static async Task HoldAsync(HandedLock all, TimeSpan time)
    {
        await all.EnterAsync();
        try
        {
            await Task.Delay(time);
        }
        finally
        {
            all.Exit();
        }
    }

    private static async Task ReloadAsync(HandedLock all)
    {
        await all.EnterAsync();
        try
        {
            await Task.Delay(10);
            _worked++;
        }
        finally
        {
            all.Exit();
        }
    }

    private static async Task LeaveAsync(HandedLock all, TimeSpan time, int times)
    {
        for (int i = 0; i < times; i++)
        {
            using var timeout = new CancellationTokenSource(time);
            try
            {
                await all.EnterAsync(timeout.Token);
            }
            catch (OperationCanceledException)
            {
                continue;
            }
            try
            {
                _worked++;
            }
            finally
            {
                all.Exit();
            }
        }
    }

    private sealed class HandedLock
    {
        private readonly Queue<TaskCompletionSource> _waiters = new();
        private bool _isHeld;

        public Task EnterAsync(CancellationToken token = default)
        {
            lock (_waiters)
            {
                if (!_isHeld)
                {
                    _isHeld = true;
                    return Task.CompletedTask;
                }
                var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _waiters.Enqueue(waiter);
                return WaitAsync(waiter, token);
            }
        }

        public void Exit()
        {
            lock (_waiters)
            {
                _isHeld = false;
                if (!_waiters.TryDequeue(out TaskCompletionSource? next))
                    return;
                _isHeld = true;
                // It may have been cancelled.
                next.TrySetResult();
            }
        }

        private static async Task WaitAsync(TaskCompletionSource waiter, CancellationToken token)
        {
            using CancellationTokenRegistration registration = token.Register(() => waiter.TrySetCanceled(token));
            await waiter.Task;
        }
    }
}
