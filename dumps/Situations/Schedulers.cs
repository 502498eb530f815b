using System.Collections.Concurrent;

namespace Situations;

/// <summary>A thread blocks for a task that waits in the queue of a scheduler: of the one that this thread serves, or of one that goes on.</summary>
public static class Schedulers
{
    private static readonly Action[] Stuck = [StartOwn, StartAwaited, StartAll, StartContinued, StartBoth, StartDowngraded, StartUpgraded, StartLimited, StartPosted];
    private static readonly Action[] Free = [StartSpare, StartReaders, StartWide, StartThreads, StartBehind, StartOther, StartImpatient, StartExclusive];

    /// <summary>All that can never go on, or one of them.</summary>
    public static void StartStuck(int count) => Start(Stuck, count);

    /// <summary>All that go on, or one of them.</summary>
    public static void StartFree(int count) => Start(Free, count);

    private static void Start(Action[] all, int count)
    {
        ThreadPool.SetMinThreads(16, 1);
        foreach (Action start in count == 0 ? all : [all[count - 1]])
            start();
        Thread.Sleep(500);
    }

    /// <summary>The only thread of a scheduler waits for a task that is queued to it.</summary>
    private static void StartOwn()
    {
        var scheduler = new WorkerScheduler(1);
        Marks.Keep(StartOn(scheduler, () => StartOn(scheduler, Report).At("own").Wait()));
    }

    /// <summary>The same behind an async method that awaits the queued task.</summary>
    private static void StartAwaited()
    {
        var scheduler = new WorkerScheduler(1);
        Marks.Keep(StartOn(scheduler, () => ForwardAsync(scheduler).At("awaited").Wait()));
    }

    /// <summary>Two of them at once.</summary>
    private static void StartAll()
    {
        var scheduler = new WorkerScheduler(1);
        Marks.Keep(StartOn(scheduler, () => Task.WaitAll(StartOn(scheduler, Report), StartOn(scheduler, Report))));
    }

    /// <summary>What is queued is a continuation.</summary>
    private static void StartContinued()
    {
        var scheduler = new WorkerScheduler(1);
        Marks.Keep(StartOn(scheduler, () => Task.CompletedTask.ContinueWith(_ => Report(), scheduler).At("continued").Wait()));
    }

    /// <summary>Both threads of a scheduler wait for what they have queued.</summary>
    private static void StartBoth()
    {
        var scheduler = new WorkerScheduler(2);
        var begun = new CountdownEvent(2);
        for (int i = 0; i < 2; i++)
        {
            Marks.Keep(StartOn(scheduler, () =>
            {
                begun.Signal();
                begun.Wait();
                StartOn(scheduler, Report).At("both").Wait();
            }));
        }
    }

    /// <summary>The exclusive one of a pair has its own thread run what that waits for.</summary>
    private static void StartExclusive()
    {
        var pair = new ConcurrentExclusiveSchedulerPair();
        Marks.Keep(StartOn(pair.ExclusiveScheduler, () => StartOn(pair.ExclusiveScheduler, Report).At("exclusiveTwice").Wait()));
    }

    /// <summary>While something exclusive runs, nothing concurrent does.</summary>
    private static void StartDowngraded()
    {
        var pair = new ConcurrentExclusiveSchedulerPair();
        Marks.Keep(StartOn(pair.ExclusiveScheduler, () => StartOn(pair.ConcurrentScheduler, Report).At("downgraded").Wait()));
    }

    /// <summary>Two tasks that read, of which one wants to write.</summary>
    private static void StartUpgraded()
    {
        var pair = new ConcurrentExclusiveSchedulerPair(TaskScheduler.Default, 4);
        Marks.Keep(StartOn(pair.ConcurrentScheduler, () => Thread.Sleep(Timeout.Infinite)));
        Marks.Keep(StartOn(pair.ConcurrentScheduler, () => StartOn(pair.ExclusiveScheduler, Report).At("upgraded").Wait()));
    }

    /// <summary>A scheduler on the thread pool that runs one at a time.</summary>
    private static void StartLimited()
    {
        var scheduler = new LimitedScheduler(1);
        Marks.Keep(StartOn(scheduler, () => StartOn(scheduler, Report).At("limited").Wait()));
    }

    /// <summary>The same, of an actor: it runs actions that are posted to it, and a method that has gone on in one blocks for another that is to go on there.</summary>
    private static void StartPosted()
    {
        var scheduler = new MailboxScheduler();
        Marks.Keep(StartOn(scheduler, () => Marks.Keep(CloseAsync())));
    }

    private static async Task CloseAsync()
    {
        await Task.Delay(10);
        Marks.Here("posted"); AuditAsync().Wait();
    }

    private static async Task AuditAsync()
    {
        await Task.Delay(10).At("audit");
        Report();
    }

    /// <summary>A second thread of the scheduler is free: what the first one blocks for will go on there.</summary>
    private static void StartSpare() => StartRoom(new WorkerScheduler(2));

    /// <summary>A pair with room for more readers.</summary>
    private static void StartReaders() => StartRoom(new ConcurrentExclusiveSchedulerPair(TaskScheduler.Default, 4).ConcurrentScheduler);

    /// <summary>A scheduler on the thread pool with room.</summary>
    private static void StartWide() => StartRoom(new LimitedScheduler(4));

    /// <summary>A thread for each task.</summary>
    private static void StartThreads() => StartRoom(new ThreadScheduler());

    /// <summary>The thread of a scheduler is busy; another one blocks for what is queued there.</summary>
    private static void StartBehind()
    {
        var scheduler = new WorkerScheduler(1);
        Marks.Keep(StartOn(scheduler, () => Thread.Sleep(Timeout.Infinite)));
        Task queued = StartOn(scheduler, Report);
        new Thread(() => queued.Wait()) { IsBackground = true }.Start();
    }

    /// <summary>The thread of a scheduler blocks for what is queued to another one, whose thread is busy.</summary>
    private static void StartOther()
    {
        WorkerScheduler one = new(1), other = new(1);
        Marks.Keep(StartOn(other, () => Thread.Sleep(Timeout.Infinite)));
        Marks.Keep(StartOn(one, () => StartOn(other, Report).Wait()));
    }

    /// <summary>It does not wait longer than a minute.</summary>
    private static void StartImpatient()
    {
        var scheduler = new WorkerScheduler(1);
        Marks.Keep(StartOn(scheduler, () => StartOn(scheduler, Report).Wait(600_000)));
    }

    private static void StartRoom(TaskScheduler scheduler)
    {
        Marks.Keep(StartOn(scheduler, () => GC.KeepAlive(SlowAsync().At("room").Result)));
    }

    private static async Task ForwardAsync(TaskScheduler scheduler) => await StartOn(scheduler, Report).At("forward");

    private static async Task<int> SlowAsync()
    {
        await Task.Delay(600_000).At("slow");
        return 4;
    }

    private static void Report() => Console.Error.WriteLine("reported");

    private static Task StartOn(TaskScheduler scheduler, Action work) => Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.None, scheduler);
}

/// <summary>A scheduler with threads of its own.</summary>
internal sealed class WorkerScheduler : TaskScheduler
{
    private readonly BlockingCollection<Task> _queue = [];

    public WorkerScheduler(int threads)
    {
        for (int i = 0; i < threads; i++)
            new Thread(Serve) { IsBackground = true }.Start();
    }

    protected override void QueueTask(Task task) => _queue.Add(task);

    protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;

    protected override IEnumerable<Task> GetScheduledTasks() => _queue;

    private void Serve()
    {
        foreach (Task task in _queue.GetConsumingEnumerable())
            TryExecuteTask(task);
    }
}

/// <summary>A scheduler on the thread pool that runs only some at a time, as it is in the documentation of TaskScheduler.</summary>
internal sealed class LimitedScheduler(int limit) : TaskScheduler
{
    private readonly LinkedList<Task> _tasks = [];
    private int _running;

    protected override void QueueTask(Task task)
    {
        lock (_tasks)
        {
            _tasks.AddLast(task);
            if (_running >= limit)
                return;
            _running++;
            ThreadPool.UnsafeQueueUserWorkItem(_ => RunAll(), null);
        }
    }

    protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;

    protected override IEnumerable<Task> GetScheduledTasks() => _tasks;

    private void RunAll()
    {
        while (true)
        {
            Task next;
            lock (_tasks)
            {
                if (_tasks.Count == 0)
                {
                    _running--;
                    return;
                }
                next = _tasks.First!.Value;
                _tasks.RemoveFirst();
            }
            TryExecuteTask(next);
        }
    }
}

/// <summary>A scheduler on the thread pool that posts actions to a mailbox, as those of actors do.</summary>
internal sealed class MailboxScheduler : TaskScheduler
{
    private readonly ConcurrentQueue<Action> _posted = new();
    private int _isServed;

    protected override void QueueTask(Task task)
    {
        _posted.Enqueue(() => TryExecuteTask(task));
        Serve();
    }

    protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;

    protected override IEnumerable<Task> GetScheduledTasks() => [];

    private void Serve()
    {
        if (Interlocked.CompareExchange(ref _isServed, 1, 0) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(static scheduler => scheduler.RunAll(), this, preferLocal: false);
    }

    private void RunAll()
    {
        while (_posted.TryDequeue(out Action? action))
            action();
        Volatile.Write(ref _isServed, 0);
        if (!_posted.IsEmpty)
            Serve();
    }
}

/// <summary>A scheduler that makes a thread for each task.</summary>
internal sealed class ThreadScheduler : TaskScheduler
{
    protected override void QueueTask(Task task) => new Thread(() => TryExecuteTask(task)) { IsBackground = true }.Start();

    protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;

    protected override IEnumerable<Task> GetScheduledTasks() => [];
}
