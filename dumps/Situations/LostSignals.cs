using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Situations;

/// <summary>
/// Threads that block for what nobody but them has: each mark begins with "orphan", or with "maybe" where only the system knows that it was not signalled a moment ago. With another
/// number, threads that block for what somebody else has: these begin with "fine".
/// </summary>
#pragma warning disable CA1001, CA2000 // They wait for as long as the process lives.
public static class LostSignals
{
    private static readonly List<Action> Answers = [];
    private static readonly CancellationTokenSource End = new();
    private static readonly ManualResetEventSlim Never = new();
    private static readonly BlockingCollection<int> Closed = [];

    [ThreadStatic]
    private static object? s_mine;

    public static void Start(int count)
    {
        Run(() => new TaskCompletionSource().Task.At("orphan-task").Wait());
        Run(() => { int got = new TaskCompletionSource<int>().Task.At("orphan-result").Result; Use(got); });
        Run(() => { var done = new ManualResetEventSlim(); done.At("orphan-event").Wait(); done.Set(); });
        Run(() => { using var end = new CancellationTokenSource(); new ManualResetEventSlim().At("orphan-token").Wait(end.Token); end.Cancel(); });
        Run(() => new SemaphoreSlim(0).At("orphan-semaphore").Wait());
        Run(() => Use(new BlockingCollection<int>().At("orphan-item").Take()));
        Run(() => { foreach (int item in new BlockingCollection<int>().At("orphan-items").GetConsumingEnumerable()) Use(item); });
        Run(() => { var full = new BlockingCollection<int>(1) { 1 }; full.At("orphan-room").Add(2); });
        Run(() => { var two = new CountdownEvent(2); two.Signal(); two.At("orphan-countdown").Wait(); });
        Run(() => Task.WaitAll([Task.CompletedTask, new TaskCompletionSource().Task.At("orphan-all"), Task.Delay(1)]));
        Run(() => Use(new AutoResetEvent(false).At("maybe-handle").WaitOne()));
        Run(() => { object own = new(); lock (own) Use(Monitor.Wait(own.At("maybe-pulse"))); });
        Run(OverAsync);
        Run(Both);
        Run(Join);
        Run(Locked);
        Run(() => Use(Closed.At("orphan-disposed").Take()));
        Closed.Dispose();
    }

    public static void StartKept(int count)
    {
        Run(() => { var kept = new TaskCompletionSource(); Marks.Keep(kept); kept.Task.At("fine-static").Wait(); });
        Run(() => { var done = new ManualResetEventSlim(); Answer(done.Set); done.At("fine-callback").Wait(); });
        Run(() => { var done = new ManualResetEventSlim(); Marks.Keep(new Timer(static it => ((ManualResetEventSlim)it!).Set(), done, 3_600_000, -1)); done.At("fine-timer").Wait(); });
        Run(() => { var done = new SemaphoreSlim(0); Use(GCHandle.Alloc(done)); done.At("fine-handle").Wait(); });
        Run(() => { var done = new CountdownEvent(1); Run(() => Own(done)); done.At("fine-threadStatic").Wait(); });
        Run(() => { var done = new TaskCompletionSource(); Run(() => Set(done)); done.Task.At("fine-stack").Wait(); });
        Run(() => { var done = new BlockingCollection<int>(); Marks.Keep(AddLaterAsync(done)); Use(done.At("fine-operation").Take()); });
        Run(() => new ManualResetEventSlim().At("fine-limit").Wait(100_000_000));
        Run(() => new ManualResetEventSlim().At("fine-token").Wait(End.Token));
        Run(() => new SemaphoreSlim(0).At("fine-semaphoreToken").Wait(End.Token));
        Run(() => new TaskCompletionSource().Task.At("fine-taskToken").Wait(End.Token));
        Run(() => Use(new BlockingCollection<int>().At("fine-itemToken").Take(End.Token)));
        Run(() => new CountdownEvent(1).At("fine-countdownToken").Wait(End.Token));
        Run(() => Task.WaitAll([new TaskCompletionSource().Task.At("fine-allToken")], End.Token));
        Run(() => { var done = new ManualResetEventSlim(); Marks.Keep(ThreadPool.RegisterWaitForSingleObject(new AutoResetEvent(false), (_, _) => done.Set(), null, -1, false)); done.At("fine-registered").Wait(); });
        Run(JoinForLong);
        Run(() => { object known = new(); Marks.Keep(known); lock (known) Use(Monitor.Wait(known.At("fine-pulse"))); });
    }

    // What it has on its stack, those need who wait for it; and who waits for those.
    private static void OverAsync()
    {
        var source = new TaskCompletionSource();
        Marks.Keep(BehindAsync(source.Task));
        new TaskCompletionSource().Task.At("orphan-stack").Wait();
        source.SetResult();
    }

    private static async Task BehindAsync(Task task) => await task.At("orphan-async");

    private static void Both()
    {
        var first = new ManualResetEventSlim();
        var second = new SemaphoreSlim(0);
        Run(() => { first.At("orphan-first").Wait(); second.Release(); });
        second.At("orphan-second").Wait();
        first.Set();
    }

    // Who would tell it that nothing more comes waits until it has ended.
    private static void Join()
    {
        var queue = new BlockingCollection<int> { 1 };
        Begin(() => Read("orphan-joined", queue)).Join();
        queue.CompleteAdding();
    }

    private static void JoinForLong()
    {
        var queue = new BlockingCollection<int> { 1 };
        Begin(() => Read("fine-joined", queue)).Join(100_000_000);
        queue.CompleteAdding();
    }

    private static void Read(string mark, BlockingCollection<int> queue)
    {
        foreach (int item in queue.At(mark).GetConsumingEnumerable())
            Use(item);
    }

    // Who would signal it waits for a lock, whose owner waits in vain.
    private static void Locked()
    {
        object gate = new();
        var signal = new ManualResetEventSlim();
        Run(() => { lock (gate) new ManualResetEventSlim().At("orphan-owner").Wait(); });
        Run(() => { lock (gate) signal.Set(); });
        signal.At("orphan-locked").Wait();
    }

    private static void Own(object item)
    {
        s_mine = item;
        Never.At("fine-owner").Wait();
    }

    private static void Set(TaskCompletionSource source)
    {
        Never.At("fine-holder").Wait();
        source.SetResult();
    }

    private static async Task AddLaterAsync(BlockingCollection<int> to)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        to.Add(1);
    }

    private static void Answer(Action answer)
    {
        lock (Answers)
            Answers.Add(answer);
    }

    // A thread's own frames are all that knows what it waits for; the program is ready when it does.
    private static Thread Begin(Action wait)
    {
        var thread = new Thread(() => wait()) { IsBackground = true };
        thread.Start();
        while ((thread.ThreadState & ThreadState.WaitSleepJoin) == 0)
            Thread.Sleep(1);
        return thread;
    }

    private static void Run(Action wait) => Begin(wait);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use<T>(T value) => GC.KeepAlive(value);
}
