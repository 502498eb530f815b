using System.Threading.Channels;

namespace Situations;

/// <summary>Who waits would do afterwards what it waits for: set a promise, complete a channel. In the twins somebody else does it, or it waits for nothing of its own.</summary>
public static class Afterwards
{
    private static readonly CancellationTokenSource Whenever = new();

    /// <summary>Threads block for methods whose promises they set afterwards; a service stops its worker before it completes what that reads.</summary>
    public static void StartStuck(int count)
    {
        Marks.Keep(Own(Block));
        Marks.Keep(Own(BlockForAll));
        var outbox = new Outbox(completesFirst: false);
        Marks.Keep(outbox);
        Marks.Keep(outbox.StopAsync());
        Marks.Keep(OpenAsync(Whenever.Token));
        Thread.Sleep(300);
    }

    /// <summary>Healthy: a thread sets the promise first and blocks for what takes long; a worker is stopped while a producer takes long; who passes messages on, or puts them back, waits for new ones.</summary>
    public static void StartAlike(int count)
    {
        Marks.Keep(Own(BlockForLong));
        var slow = new Outbox(completesFirst: false);
        Marks.Keep(slow);
        Marks.Keep(FeedAsync(slow.Letters));
        Marks.Keep(slow.StopAsync());
        Channel<int> left = Channel.CreateUnbounded<int>(), right = Channel.CreateUnbounded<int>();
        Marks.Keep(PassAsync(left, right));
        Marks.Keep(PassAsync(right, left));
        var retried = Channel.CreateUnbounded<int>();
        foreach (Channel<int> kept in (Channel<int>[])[left, right, retried])
            Marks.Keep(kept);
        Marks.Keep(RetryAsync(retried));
        Marks.Keep(OpenLongAsync(Whenever.Token));
        Thread.Sleep(300);
    }

    private static Thread Own(ThreadStart start)
    {
        var thread = new Thread(start) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private static void Block()
    {
        var ready = new TaskCompletionSource<Guid>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task warm = WarmAsync(ready.Task);
        warm.Wait();
        ready.SetResult(Guid.Empty);
    }

    private static void BlockForAll()
    {
        var ready = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task load = LoadAsync(ready.Task), rest = Task.Delay(1);
        Task.WaitAll(load, rest);
        ready.SetResult(1);
    }

    private static void BlockForLong()
    {
        var ready = new TaskCompletionSource<Guid>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task warm = WarmAsync(ready.Task), rest = Task.Delay(TimeSpan.FromHours(1));
        ready.SetResult(Guid.Empty);
        Task.WaitAll(warm, rest);
    }

    // A token that nobody cancels ends nothing.
    private static async Task OpenAsync(CancellationToken token)
    {
        var opened = new TaskCompletionSource<Version>(TaskCreationOptions.RunContinuationsAsynchronously);
        Marks.Keep(opened);
        await GreetAsync(opened, token);
        opened.SetResult(new Version(1, 0));
    }

    private static async Task OpenLongAsync(CancellationToken token)
    {
        var opened = new TaskCompletionSource<Version>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task greeted = GreetAsync(opened, token);
        await Task.Delay(TimeSpan.FromHours(1), token);
        opened.SetResult(new Version(1, 0));
        await greeted;
    }

    private static async Task GreetAsync(TaskCompletionSource<Version> opened, CancellationToken token)
    {
        Version version = await opened.Task.WaitAsync(token);
        Marks.Keep(version);
    }

    private static async Task WarmAsync(Task<Guid> ready)
    {
        await ready;
        await Task.Yield();
    }

    private static async Task LoadAsync(Task<long> ready)
    {
        await ready;
        await Task.Yield();
    }

    private static async Task FeedAsync(ChannelWriter<string> letters)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        await letters.WriteAsync("late");
    }

    private static async Task PassAsync(ChannelReader<int> from, ChannelWriter<int> to)
    {
        while (true)
            await to.WriteAsync(await from.ReadAsync());
    }

    private static async Task RetryAsync(Channel<int> queue)
    {
        while (true)
        {
            int message = await queue.Reader.ReadAsync();
            if (message > 0)
                queue.Writer.TryWrite(message - 1);
        }
    }

    private sealed class Outbox
    {
        private readonly Channel<string> _letters = Channel.CreateUnbounded<string>();
        private readonly bool _completesFirst;
        private readonly Task _worker;

        public Outbox(bool completesFirst)
        {
            _completesFirst = completesFirst;
            _worker = WorkAsync();
        }

        public ChannelWriter<string> Letters => _letters.Writer;

        public async Task StopAsync()
        {
            if (_completesFirst)
                _letters.Writer.Complete();
            await _worker;
            _letters.Writer.TryComplete();
        }

        private async Task WorkAsync()
        {
            await foreach (string letter in _letters.Reader.ReadAllAsync())
                await Task.Delay(letter.Length);
        }
    }
}
