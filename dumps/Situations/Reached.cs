using System.Collections.Concurrent;
#if NET10_0_OR_GREATER
using System.IO.Pipelines;
#endif
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace Situations;

/// <summary>Waits that look the same as those of <see cref="Orphans"/>, and that something can end: each mark begins with "fine".</summary>
public static class Reached
{
    private static readonly ConcurrentDictionary<int, TaskCompletionSource<string>> Pending = new();
    private static readonly SemaphoreSlim Gate = new(0);
    private static readonly Channel<int> Work = Channel.CreateUnbounded<int>();
    private static readonly List<ChannelWriter<int>> Writers = [];
    private static readonly ConditionalWeakTable<object, TaskCompletionSource> Beside = [];
    private static readonly object Key = new();
    private static readonly AsyncLocal<TaskCompletionSource?> Ambient = new();
    private static readonly CancellationTokenSource Stopping = new();
#if NET10_0_OR_GREATER
    private static Pipe? s_pipe;
#else
#pragma warning disable CS0649 // It is found empty: that is what this is about.
    private static readonly object? s_pipe;
#pragma warning restore CS0649
#endif
    private static WeakReference<TaskCompletionSource>? s_weak;
    private static nint s_handle;

    private static event Action<int>? Published;

    [ThreadStatic]
    private static TaskCompletionSource? s_mine;

    public static void Start(int collects)
    {
        Marks.Keep(Call(8));
        Marks.Keep(Enter());
        Marks.Keep(Serve());
        Marks.Keep(Fed());
        Marks.Keep(ByTimer());
#if NET10_0_OR_GREATER
        Marks.Keep(FromPipe());
#endif
        Marks.Keep(InTable());
        Marks.Keep(Weak());
        Marks.Keep(Handled());
        Marks.Keep(Stop());
        Marks.Keep(OnSignal());
        Marks.Keep(Subscribed());
        Marks.Keep(WithLimit());
        Marks.Keep(Delayed());
        Marks.Keep(WithToken());
        Marks.Keep(All());
        Marks.Keep(First());
        Marks.Keep(Accept());
        Marks.Keep(Flows());
        Marks.Keep(ByBuilder());
        Marks.Keep(Begun());
        Marks.Keep(BehindTimer());
        Marks.Keep(ByFinalizer());
        Marks.Keep(Queued());
        Marks.Keep(Custom());
        Marks.Keep(Relayed());
        Entries.Fill();
        Marks.Keep(Entries.ByField());
        Marks.Keep(Entries.ByKey());
        Left.StartReached();
        OnThread();
        if (collects > 0)
            GC.Collect();
        Thread.Sleep(300);
    }

    /// <summary>So that nothing is removed that only a debugger would use.</summary>
    public static void Finish(int item)
    {
        Published?.Invoke(item);
        s_mine?.TrySetResult();
        Ambient.Value?.TrySetResult();
        Marks.Keep((s_handle, (object?)s_weak, (object?)s_pipe));
    }

    private static async Task<string> Call(int id)
    {
        Pending[id] = new();
        return await Pending[id].Task.At("fine-pending");
    }

    private static async Task Enter() => await Gate.WaitAsync().At("fine-semaphore");

    private static async Task<int> Serve()
    {
        Marks.Here("fine-actor"); int item = await Work.Reader.ReadAsync();
        return item;
    }

    private static async Task<int> Fed()
    {
        Channel<int> channel = Channel.CreateUnbounded<int>();
        Writers.Add(channel.Writer);
        Marks.Here("fine-writer"); return await channel.Reader.ReadAsync();
    }

    // The timer's callback has the writer, and nobody else does.
    private static async Task<int> ByTimer()
    {
        Channel<int> channel = Channel.CreateUnbounded<int>();
        Marks.Keep(new Timer(static state => ((ChannelWriter<int>)state!).TryWrite(1), channel.Writer, TimeSpan.FromMinutes(30), TimeSpan.FromMinutes(30)));
        Marks.Here("fine-timer"); return await channel.Reader.ReadAsync();
    }

#if NET10_0_OR_GREATER
    private static async Task<bool> FromPipe()
    {
        s_pipe = new Pipe();
        Marks.Here("fine-pipe"); return (await s_pipe.Reader.ReadAsync()).IsCompleted;
    }
#endif

    private static async Task InTable()
    {
        Beside.Add(Key, new());
        await Beside.GetOrCreateValue(Key).Task.At("fine-table");
    }

    // The waiter keeps it alive, and whoever has the weak reference completes it.
    private static async Task Weak()
    {
        var source = new TaskCompletionSource();
        s_weak = new(source);
        await source.Task.At("fine-weak");
        source.TrySetResult();
    }

    private static async Task Handled()
    {
        var source = new TaskCompletionSource();
        s_handle = GCHandle.ToIntPtr(GCHandle.Alloc(source));
        await source.Task.At("fine-handle");
    }

    private static async Task Stop()
    {
        var source = new TaskCompletionSource();
        using CancellationTokenRegistration registration = Stopping.Token.Register(static s => ((TaskCompletionSource)s!).TrySetResult(), source);
        await source.Task.At("fine-stop");
    }

    // As a host does: only the table of signal handlers leads to it.
    private static async Task OnSignal() => await new Lifetime().Ended.At("fine-signal");

    private static async Task<int> Subscribed()
    {
        var source = new TaskCompletionSource<int>();
        Published += source.SetResult;
        return await source.Task.At("fine-event");
    }

    private static async Task WithLimit() => await new TaskCompletionSource().Task.WaitAsync(TimeSpan.FromMinutes(30)).At("fine-limit");

    private static async Task Delayed() => await Task.Delay(TimeSpan.FromMinutes(30)).At("fine-delay");

    private static async Task WithToken()
    {
        var gate = new SemaphoreSlim(0);
        await gate.WaitAsync(Stopping.Token).At("fine-token");
        gate.Release();
    }

    private static async Task All() => await Task.WhenAll(Task.Delay(TimeSpan.FromMinutes(30)), Gate.WaitAsync()).At("fine-all");

    private static async Task First() => await Task.WhenAny(new TaskCompletionSource().Task, Task.Delay(TimeSpan.FromMinutes(30))).At("fine-any");

    private static async Task<Socket> Accept()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Marks.Here("fine-accept"); return await listener.AcceptAsync();
    }

    // A delay that flows with a context in which it is.
    private static async Task Flows()
    {
        Ambient.Value = new();
        Task task = Ambient.Value.Task;
        Marks.Keep(new Timer(static _ => Ambient.Value?.TrySetResult(), null, TimeSpan.FromMinutes(30), Timeout.InfiniteTimeSpan));
        Ambient.Value = null;
        await task.At("fine-ambient");
    }

    // A method builder is a promise, too.
    private static async Task ByBuilder()
    {
        var owner = new BuilderOwner();
        Marks.Keep(owner);
        await owner.Promise.At("fine-builder");
    }

    // Begin and End: nothing but the callback knows the promise.
    private static async Task<int> Begun()
    {
        Marks.Here("fine-begun"); return await Task<int>.Factory.FromAsync(static (callback, state) => new Operation(callback), static _ => 1, null);
    }

    // It is released by one that waits for a timer.
    private static Task BehindTimer()
    {
        var gate = new SemaphoreSlim(1);
        return Task.WhenAll(Hold(gate), Want(gate));
    }

    private static async Task Hold(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        await Task.Delay(TimeSpan.FromMinutes(30)).At("fine-holder");
        gate.Release();
    }

    private static async Task Want(SemaphoreSlim gate)
    {
        await gate.WaitAsync().At("fine-behind");
        gate.Release();
    }

    // Its finalizer will complete it.
    private static async Task ByFinalizer()
    {
        await Lease().At("fine-finalizer");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task Lease() => new Leased().Released.Task;

    // What the pool is going to run has it; a gate keeps the pool's thread.
    private static async Task Queued()
    {
        var source = new TaskCompletionSource();
        var thread = new Thread(static s => { Thread.Sleep(Timeout.Infinite); ((TaskCompletionSource)s!).TrySetResult(); }) { IsBackground = true };
        thread.Start(source);
        await source.Task.At("fine-thread");
    }

    private static void OnThread()
    {
        using var isReady = new ManualResetEventSlim();
        new Thread(() =>
        {
            s_mine = new();
            Marks.Keep(Mine(s_mine.Task));
            isReady.Set();
            Thread.Sleep(Timeout.Infinite);
            s_mine?.TrySetResult();
        }) { IsBackground = true }.Start();
        isReady.Wait();
    }

    private static async Task Mine(Task task) => await task.At("fine-threadStatic");

    // Of an awaiter of the program's own nobody knows who calls it.
    private static async Task Custom()
    {
        Marks.Here("fine-custom"); await new Never();
    }

    private static async Task Relayed()
    {
        var source = new TaskCompletionSource();
        Marks.Keep(Gate.WaitAsync().ContinueWith((_, s) => ((TaskCompletionSource)s!).TrySetResult(), source, TaskScheduler.Default));
        await source.Task.At("fine-continued");
    }

    private sealed class Lifetime
    {
        private readonly TaskCompletionSource _ended = new();
        private readonly PosixSignalRegistration _registration;

        public Lifetime() => _registration = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnSignal);

        public Task Ended => _ended.Task;

        private void OnSignal(PosixSignalContext context)
        {
            _ended.TrySetResult();
            _registration.Dispose();
        }
    }

    private sealed class BuilderOwner
    {
        private AsyncTaskMethodBuilder _builder = AsyncTaskMethodBuilder.Create();

        public BuilderOwner() => Promise = _builder.Task;

        public Task Promise { get; }

        public void End() => _builder.SetResult();
    }

#pragma warning disable CA1001 // It lives as long as the process.
    private sealed class Operation : IAsyncResult
#pragma warning restore CA1001
    {
        private readonly Timer _timer;

        public Operation(AsyncCallback? callback) => _timer = new Timer(_ => callback?.Invoke(this), null, TimeSpan.FromMinutes(30), Timeout.InfiniteTimeSpan);

        public object? AsyncState => _timer;

        public WaitHandle AsyncWaitHandle => throw new NotSupportedException();

        public bool CompletedSynchronously => false;

        public bool IsCompleted => false;
    }

    private sealed class Leased
    {
        public TaskCompletionSource Released { get; } = new();

        ~Leased() => Released.TrySetResult();
    }

    private readonly struct Never : INotifyCompletion
    {
        public bool IsCompleted => false;

        public Never GetAwaiter() => this;

        public void OnCompleted(Action continuation) => Marks.Keep(new WeakReference(continuation));

        public void GetResult()
        {
        }
    }
}
