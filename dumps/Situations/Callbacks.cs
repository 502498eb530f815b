namespace Situations;

/// <summary>
/// Callbacks of which each was made where an AsyncLocal had its own name as value: timers, waits on handles, tokens, and work that is queued. They block
/// their thread, or wait. Those that leave the context behind have none.
/// </summary>
public static class Callbacks
{
    private static readonly AsyncLocal<string?> Carried = new();
    private static readonly AsyncLocal<Caller?> Whose = new();
    private static readonly ManualResetEventSlim Never = new(false);
    private static readonly TaskCompletionSource Open = new(TaskCreationOptions.RunContinuationsAsynchronously), Later = new();
    private static readonly AutoResetEvent Signal = new(true), Other = new(true);
    private static int _stopped;

    public static void Start(int count)
    {
        ThreadPool.SetMinThreads(32, 32);
        var source = new CancellationTokenSource();
        Made(nameof(OnTimer), () => Marks.Keep(new Timer(_ => OnTimer(), null, 1, Timeout.Infinite)));
        Made(nameof(OnTimerAsync), () => Marks.Keep(new Timer(_ => _ = OnTimerAsync(), null, 1, Timeout.Infinite)));
        Made(nameof(OnHandle), () => Marks.Keep(ThreadPool.RegisterWaitForSingleObject(Signal, (_, _) => OnHandle(), null, Timeout.Infinite, executeOnlyOnce: true)));
        Made(nameof(OnHandleAsync), () => Marks.Keep(ThreadPool.RegisterWaitForSingleObject(Other, (_, _) => _ = OnHandleAsync(), null, Timeout.Infinite, executeOnlyOnce: true)));
        Made(nameof(OnToken), () => source.Token.Register(OnToken));
        Made(nameof(OnWork), () => ThreadPool.QueueUserWorkItem(_ => OnWork()));
        Made(nameof(OnTask), () => Marks.Keep(Task.Run(OnTask)));
        Made(nameof(OnUnsafeWork), () => ThreadPool.UnsafeQueueUserWorkItem(_ => OnUnsafeWork(), null));
        Made("task to come", () => Marks.Keep(Later.Task.ContinueWith(Continued, TaskScheduler.Default).ContinueWith(Continued, TaskScheduler.Default)));
        Made("another context", () => new Thread(source.Cancel) { IsBackground = true }.Start());
        while (Volatile.Read(ref _stopped) < 8)
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    private static void Made(string name, Action make)
    {
        Carried.Value = name;
        Whose.Value = new Caller($"t-{name}", Kind.Guest, "hidden", new object());
        make();
        Carried.Value = null;
        Whose.Value = null;
    }

    private static void OnTimer() => Block();

    private static void OnHandle() => Block();

    private static void OnToken() => Block();

    private static void OnWork() => Block();

    private static void OnTask() => Block();

    private static void OnUnsafeWork() => Block();

    private static async Task<int> OnTimerAsync()
    {
        Interlocked.Increment(ref _stopped);
        await Open.Task;
        return 1;
    }

    private static async Task<int> OnHandleAsync()
    {
        Interlocked.Increment(ref _stopped);
        await Open.Task;
        return 2;
    }

    private static int Continued(Task task) => task.Id;

    private static void Block()
    {
        Interlocked.Increment(ref _stopped);
        Never.Wait();
    }

    private enum Kind
    {
        Member,
        Guest,
    }

    private sealed record Caller(string Tenant, Kind Kind, string Password, object Rest);
}
