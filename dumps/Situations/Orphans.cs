using System.Collections.Concurrent;
#if NET10_0_OR_GREATER
using System.IO.Pipelines;
#endif
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Situations;

/// <summary>Waits that nothing in the process can end: each mark begins with "orphan". With a number, garbage is collected before anybody looks.</summary>
public static class Orphans
{
    private static readonly ConcurrentDictionary<int, TaskCompletionSource<string>> Pending = new();
    private static readonly List<Task> Known = [];
    private static readonly ConditionalWeakTable<object, TaskCompletionSource> Beside = [];

    public static void Start(int collects)
    {
        Marks.Keep(Forgotten());
        Marks.Keep(Outer());
        Marks.Keep(OwnLocal());
        Marks.Keep(OwnChannel());
        Marks.Keep(OwnSemaphore());
#if NET10_0_OR_GREATER
        Marks.Keep(OwnPipe());
#endif
        Marks.Keep(RemovedCall(7));
        Marks.Keep(KnownPromise());
        Marks.Keep(Weak(new object()));
        Marks.Keep(All());
        Marks.Keep(FirstOfTwo());
        Marks.Keep(SharedWriterGone());
        Marks.Keep(BehindOrphan());
        Marks.Keep(ForgottenToken());
        Marks.Keep(Stopped());
        Entries.Fill();
        Marks.Keep(Entries.ByField());
        Marks.Keep(Entries.Staying.Main());
        Marks.Keep(Entries.Waiting.Main());
        _ = Unwatched();
        Listen(new Publisher());
        Marks.Keep(Aside());
        Marks.Keep(ForEach());
        Marks.Keep(Numbered(7));
        Left.StartOrphans();
        if (collects > 0)
            Collect();
        Thread.Sleep(300);
    }

    private static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private static Task Source() => new TaskCompletionSource().Task;

    private static async Task Forgotten() => await Source().At("orphan-forgotten");

    private static async Task<int> Outer()
    {
        await Inner();
        return 1;
    }

    private static async Task<int> Inner()
    {
        await new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously).Task.At("orphan-inner");
        return 2;
    }

    private static async Task OwnLocal()
    {
        var source = new TaskCompletionSource();
        await source.Task.At("orphan-local");
        source.TrySetResult();
    }

    private static async Task<int> OwnChannel()
    {
        Channel<int> channel = Channel.CreateUnbounded<int>();
        int read = await channel.Reader.ReadAsync().AsTask().At("orphan-channel");
        channel.Writer.TryWrite(read);
        return read;
    }

    private static async Task OwnSemaphore()
    {
        var gate = new SemaphoreSlim(0);
        await gate.WaitAsync().At("orphan-semaphore");
        gate.Release();
    }

#if NET10_0_OR_GREATER
    private static async Task<bool> OwnPipe()
    {
        var pipe = new Pipe();
        Marks.Here("orphan-pipe"); ReadResult read = await pipe.Reader.ReadAsync();
        await pipe.Writer.CompleteAsync();
        return read.IsCompleted;
    }
#endif

    // The entry is removed, and nobody completes it.
    private static async Task<string> RemovedCall(int id)
    {
        var source = new TaskCompletionSource<string>();
        Pending[id] = source;
        Task<string> answer = Answer(source.Task);
        Pending.TryRemove(id, out _);
        return await answer;
    }

    private static async Task<string> Answer(Task<string> task) => await task.At("orphan-removed");

    // A list knows the promise, and cannot complete it.
    private static async Task KnownPromise()
    {
        Task promise = Source();
        Known.Add(promise);
        await promise.At("orphan-known");
    }

    // The table keeps it as long as the key lives, and only the waiter has the key.
    private static async Task Weak(object key)
    {
        await Put(key).At("orphan-table");
        GC.KeepAlive(key);
    }

    private static Task Put(object key)
    {
        var source = new TaskCompletionSource();
        Beside.Add(key, source);
        return source.Task;
    }

    private static async Task All()
    {
        await Task.WhenAll(Source(), Source(), Source()).At("orphan-all");
    }

    private static async Task FirstOfTwo()
    {
        await await Task.WhenAny(Source(), Source()).At("orphan-any");
    }

    private static async Task<int> SharedWriterGone()
    {
        Channel<int> channel = Channel.CreateBounded<int>(1);
        Task<int> first = Take(channel.Reader), second = Take(channel.Reader);
        return await first + await second;
    }

    private static async Task<int> Take(ChannelReader<int> reader)
    {
        Marks.Here("orphan-shared"); int item = await reader.ReadAsync();
        return item;
    }

    // Only one that waits in vain could release it.
    private static Task BehindOrphan()
    {
        var gate = new SemaphoreSlim(1);
        return Task.WhenAll(Hold(gate), Enter(gate));
    }

    private static async Task Hold(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        await Source().At("orphan-holder");
        gate.Release();
    }

    private static async Task Enter(SemaphoreSlim gate)
    {
        await gate.WaitAsync().At("orphan-behind");
        gate.Release();
    }

    // Only the waiter has the source of the token.
    private static async Task ForgottenToken()
    {
        using var stop = new CancellationTokenSource();
        var source = new TaskCompletionSource();
        using CancellationTokenRegistration registration = stop.Token.Register(static s => ((TaskCompletionSource)s!).TrySetCanceled(), source);
        await source.Task.At("orphan-token");
    }

    // The timer that would have completed it was stopped; its finalizer will not run.
    private static Task Stopped()
    {
        var source = new TaskCompletionSource();
        new Timer(_ => source.TrySetResult(), null, TimeSpan.FromMinutes(30), Timeout.InfiniteTimeSpan).Dispose();
        return Tick(source.Task);
    }

    private static async Task Tick(Task tick) => await tick.At("orphan-stopped");

    // Nobody knows of it at all, but for the collector.
    private static async Task Unwatched() => await Source().At("orphan-unwatched");

    // It waits for what Task.Run has returned, and nobody else has the promise.
    private static async Task Aside()
    {
        var source = new TaskCompletionSource<int>();
        await Task.Run(async () => await source.Task.At("orphan-run"));
        GC.KeepAlive(source);
    }

    // Its state leads to nothing.
    private static async Task<string> Numbered(int number)
    {
        var source = new TaskCompletionSource<string>(number);
        string text = await source.Task.At("orphan-numbered");
        GC.KeepAlive(source);
        return text;
    }

    // A worker of the loop waits, and nobody else has the promise.
    private static async Task ForEach() => await Parallel.ForEachAsync([7], async (_, _) =>
    {
        var source = new TaskCompletionSource<int>();
        // Nothing but this keeps the worker from being collected.
        Marks.Keep(source.Task);
        await source.Task.At("orphan-each");
        GC.KeepAlive(source);
    });

    // The publisher is gone, and its subscriber with it.
    private static void Listen(Publisher publisher) => Marks.Keep(NextOf(publisher));

    private static async Task<int> NextOf(Publisher publisher)
    {
        var source = new TaskCompletionSource<int>();
        publisher.Published += source.SetResult;
        return await source.Task.At("orphan-event");
    }

    private sealed class Publisher
    {
        public event Action<int>? Published;

        public void Publish(int item) => Published?.Invoke(item);
    }
}
