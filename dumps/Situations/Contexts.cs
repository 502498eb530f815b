namespace Situations;

/// <summary>Threads that block for what can only go on in their context, and others that do not have to.</summary>
public static class Contexts
{
    /// <summary>What is awaited is still pending; once it is done, it is posted to the thread that blocks.</summary>
    public static void StartPending(int count)
    {
        var context = new UiContext();
        context.Post(_ => DelayAsync().Wait(), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    private static async Task DelayAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1));
        GC.KeepAlive(typeof(Marks));
    }

    /// <summary>Only the outer of two methods goes back to the context.</summary>
    public static void StartOuter(int count)
    {
        var context = new UiContext();
        context.Post(_ => OuterAsync().Wait(), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    private static async Task OuterAsync()
    {
        await Task.Run(() => Thread.Sleep(Timeout.Infinite));
        GC.KeepAlive(typeof(Marks));
    }

    /// <summary>Not a deadlock: the thread waits for a limited time.</summary>
    public static void StartLimited(int count)
    {
        var context = new UiContext();
        context.Post(_ => DelayAsync().Wait(TimeSpan.FromHours(2)), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    /// <summary>Not a deadlock: the work was started without the context.</summary>
    public static void StartFree(int count)
    {
        var context = new UiContext();
        context.Post(_ => Task.Run(DelayAsync).Wait(), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    /// <summary>Not a deadlock: an idle context, and a method that goes on there later.</summary>
    public static void StartIdle(int count)
    {
        var context = new UiContext();
        context.Post(_ => Marks.Keep(DelayAsync()), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    /// <summary>
    /// No deadlocks: contexts that pass everything on, as those of test frameworks do, to the pool or to another context that has a thread; and one of which
    /// a second thread waits for work, under no context as long as it has none.
    /// </summary>
    public static void StartOthers(int count)
    {
        var inner = new UiContext();
        inner.StartThread();
        Block(new Counting());
        Block(new Wrapping(inner));
        var context = new Workers();
        context.Post(_ => DelayAsync().Wait(), null);
        context.StartThread();
        context.StartThread();
        Thread.Sleep(300);
    }

    private static void Block(SynchronizationContext context)
    {
        new Thread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(context);
            DelayAsync().Wait();
        })
        { IsBackground = true }.Start();
        Thread.Sleep(300);
    }

    private sealed class Counting : SynchronizationContext
    {
        private int _posted;

        public override void Post(SendOrPostCallback d, object? state)
        {
            Interlocked.Increment(ref _posted);
            base.Post(d, state);
        }
    }

    private sealed class Wrapping(SynchronizationContext inner) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => inner.Post(d, state);
    }

    private sealed class Workers : SynchronizationContext
    {
        private readonly System.Collections.Concurrent.BlockingCollection<(SendOrPostCallback Callback, object? State)> _queue = [];

        public override void Post(SendOrPostCallback d, object? state) => _queue.Add((d, state));

        public void StartThread() => new Thread(Run) { IsBackground = true }.Start();

        private void Run()
        {
            foreach ((SendOrPostCallback callback, object? state) in _queue.GetConsumingEnumerable())
            {
                SetSynchronizationContext(this);
                callback(state);
                SetSynchronizationContext(null);
            }
        }
    }
}
