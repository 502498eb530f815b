using System.Net;
using System.Net.Sockets;

namespace Situations;

/// <summary>What can be between waiters and what they wait for: timers, sockets, contexts, schedulers, combinators, threads.</summary>
public static class Linked
{
    private static readonly TaskCompletionSource Never = new();
    private static readonly SemaphoreSlim Till = new(0);
    private static readonly PeriodicTimer Clock = new(TimeSpan.FromHours(1));

    public static void Start(int count)
    {
        Marks.Keep(DelayAsync());
        Marks.Keep(ForeverAsync());
        Marks.Keep(TickAsync());
        Marks.Keep(LimitedAsync());
        Marks.Keep(ImpatientAsync());
        Marks.Keep(TillAsync());
        Marks.Keep(ReceiveAsync());
        Marks.Keep(AllAsync());
        Marks.Keep(RunAsync());
        var context = new UiContext();
        context.Post(_ => { Marks.Keep(OnContextAsync()); Marks.Keep(OffContextAsync()); Marks.Keep(CallerAsync()); Marks.Keep(LeftAsync()); }, null);
        context.StartThread();
        TaskScheduler scheduler = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
        Marks.Keep(Task.Factory.StartNew(() => Marks.Keep(ScheduledAsync()), CancellationToken.None, TaskCreationOptions.None, scheduler));
        var thread = new Thread(() => Thread.Sleep(Timeout.Infinite)) { IsBackground = true };
        thread.Start();
        new Thread(() => thread.Join()) { IsBackground = true }.Start();
        Thread.Sleep(500);
    }

    private static async Task DelayAsync() { await Task.Delay(TimeSpan.FromHours(1)); GC.KeepAlive(Never); }

    private static async Task ForeverAsync() { await Task.Delay(Timeout.Infinite); GC.KeepAlive(Never); }

    private static async Task TickAsync() { await Clock.WaitForNextTickAsync(); GC.KeepAlive(Never); }

    // A timeout around another method.
    private static async Task LimitedAsync() { await InnerAsync().WaitAsync(TimeSpan.FromHours(2)); GC.KeepAlive(Never); }

    private static async Task InnerAsync() { await Never.Task; GC.KeepAlive(Never); }

    // A timeout around a promise.
    private static async Task ImpatientAsync() { await Never.Task.WaitAsync(TimeSpan.FromHours(3)); GC.KeepAlive(Never); }

    private static async Task TillAsync() { await Till.WaitAsync(); GC.KeepAlive(Never); }

    private static async Task ReceiveAsync()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using Socket client = await listener.AcceptAsync();
        GC.KeepAlive(client);
    }

    private static async Task AllAsync() { await Task.WhenAll(PartAsync(), OtherPartAsync()); GC.KeepAlive(Never); }

    private static async Task PartAsync() { await Never.Task; GC.KeepAlive(Never); }

    private static async Task OtherPartAsync() { await Never.Task; GC.KeepAlive(Never); }

    // Waits for what a thread of the pool executes.
    private static async Task RunAsync() { await Task.Run(Work); GC.KeepAlive(Never); }

    private static void Work() => Thread.Sleep(Timeout.Infinite);

    private static async Task OnContextAsync() { await Never.Task; GC.KeepAlive(Never); }

    // What it awaits is an async method that awaits without the context; it goes on there itself.
    private static async Task CallerAsync() { await CalledAsync(); GC.KeepAlive(Never); }

    private static async Task CalledAsync() { await InnerAsync().ConfigureAwait(false); GC.KeepAlive(Never); }

    private static async Task OffContextAsync() { await OffCalledAsync().ConfigureAwait(false); GC.KeepAlive(Never); }

    // What it awaited first had it come back to the context; what it awaits now does not.
    private static async Task LeftAsync() { await Task.Delay(20); await OffCalledAsync().ConfigureAwait(false); GC.KeepAlive(Never); }

    private static async ValueTask OffCalledAsync() { await new ValueTask(Never.Task).ConfigureAwait(false); GC.KeepAlive(Never); }

    private static async Task ScheduledAsync() { await Never.Task; GC.KeepAlive(Never); }
}
