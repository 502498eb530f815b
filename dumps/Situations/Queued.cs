using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Situations;

/// <summary>Methods that could go on, in queues of which no task tells.</summary>
public static class Queued
{
    private static readonly TaskCompletionSource Gate = new();

    /// <summary>A method gave its thread away, which then waits for it; beside it a context of which nothing is wanted.</summary>
    public static void StartYielded(int count)
    {
        new UiContext().StartThread();
        var context = new UiContext();
        context.Post(_ => YieldAsync().At("yieldedWait").Wait(), null);
        context.StartThread();
        Thread.Sleep(500);
    }

    /// <summary>The same with a scheduler that runs one task at a time.</summary>
    public static void StartYieldedTask(int count)
    {
        TaskScheduler scheduler = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
        Marks.Keep(Task.Factory.StartNew(() => YieldAsync().At("yieldedTask").Wait(), CancellationToken.None, TaskCreationOptions.None, scheduler));
        Thread.Sleep(500);
    }

    /// <summary>What a method called has ended without a context; the method itself wants to go on where it began.</summary>
    public static void StartReturned(int count)
    {
        var context = new UiContext();
        context.Post(_ => CallAsync().At("returnedWait").Wait(), null);
        context.StartThread();
        Thread.Sleep(500);
    }

    /// <summary>The same with a scheduler.</summary>
    public static void StartReturnedTask(int count)
    {
        TaskScheduler scheduler = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
        Marks.Keep(Task.Factory.StartNew(() => CallAsync().At("returnedTask").Wait(), CancellationToken.None, TaskCreationOptions.None, scheduler));
        Thread.Sleep(500);
    }

    /// <summary>Who waits for a task is resumed one after the other, and the first one keeps the thread.</summary>
    public static void StartListed(int count)
    {
        Marks.Keep(Gate.Task.ContinueWith(_ => Thread.Sleep(Timeout.Infinite.At("first")), TaskContinuationOptions.ExecuteSynchronously));
        Marks.Keep(SecondAsync());
        new Thread(() => Gate.SetResult()) { IsBackground = true }.Start();
        Thread.Sleep(300);
    }

    /// <summary>An item came into a channel while all workers of the pool sleep.</summary>
    public static void StartChannel(int count)
    {
        const int workers = 4;
        ThreadPool.SetMinThreads(workers, 1);
        ThreadPool.SetMaxThreads(workers, 1);
        var channel = Channel.CreateUnbounded<int>();
        Marks.Keep(ReadAsync(channel.Reader));
        using var asleep = new CountdownEvent(workers);
        for (int i = 0; i < workers; i++)
            Marks.Keep(Task.Run(() => Sleep(asleep)));
        asleep.Wait();
        channel.Writer.TryWrite(3);
        Thread.Sleep(800);
    }

    /// <summary>An item came into a channel whose reader wants to go on where it began, and that thread sleeps.</summary>
    public static void StartChannelContext(int count)
    {
        var channel = Channel.CreateUnbounded<int>();
        var context = new UiContext();
        context.Post(_ => Marks.Keep(ReadAsync(channel.Reader)), null);
        context.Post(_ => Thread.Sleep(Timeout.Infinite.At("channelAsleep")), null);
        context.StartThread();
        Thread.Sleep(300);
        channel.Writer.TryWrite(3);
        Thread.Sleep(300);
    }

    /// <summary>Nobody has written anything into the channel.</summary>
    public static void StartChannelEmpty(int count)
    {
        var channel = Channel.CreateUnbounded<int>();
        Marks.Keep(channel);
        var context = new UiContext();
        context.Post(_ => Marks.Keep(ReadAsync(channel.Reader)), null);
        context.Post(_ => Thread.Sleep(Timeout.Infinite.At("emptyAsleep")), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    private static void Sleep(CountdownEvent asleep)
    {
        asleep.Signal();
        Thread.Sleep(Timeout.Infinite.At("asleep"));
    }

    private static async Task YieldAsync()
    {
        Marks.Here("yield"); await Task.Yield();
    }

    private static async Task<int> CallAsync()
    {
        Marks.Here("call"); int found = await LookUpAsync();
        return found + 1;
    }

    private static async Task<int> LookUpAsync()
    {
        await new PoolHop();
        return 3;
    }

    private static async Task SecondAsync()
    {
        await Gate.Task.At("second");
        Marks.Keep(1);
    }

    private static async Task<int> ReadAsync(ChannelReader<int> reader)
    {
#pragma warning disable CA2012 // At gives back what it was given, and that is awaited.
        int item = await reader.ReadAsync().At("read");
#pragma warning restore CA2012
        return item + 1;
    }

    /// <summary>Goes on in the pool, whatever the context, when its method has been suspended.</summary>
    private readonly struct PoolHop : ICriticalNotifyCompletion
    {
        public bool IsCompleted => false;

        public PoolHop GetAwaiter() => this;

        public void GetResult()
        {
        }

        public void OnCompleted(Action continuation) => ThreadPool.QueueUserWorkItem(_ => Run(continuation));

        public void UnsafeOnCompleted(Action continuation) => ThreadPool.UnsafeQueueUserWorkItem(_ => Run(continuation), null);

        private static void Run(Action continuation)
        {
            Thread.Sleep(50);
            continuation();
        }
    }

    /// <summary>A channel is full, and what its writer awaits last is a method that is not async.</summary>
    public static void StartChannelFull(int count)
    {
        var channel = Channel.CreateBounded<int>(1);
        Marks.Keep(channel);
        channel.Writer.TryWrite(1);
        Marks.Keep(HandOnAsync(channel.Writer));
        Thread.Sleep(300);
    }

    private static async Task HandOnAsync(ChannelWriter<int> writer)
    {
        await Task.Delay(5);
        Marks.Here("hand on"); await AcceptAsync(writer);
    }

    private static ValueTask AcceptAsync(ChannelWriter<int> writer) => writer.WriteAsync(2);
}
