using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Loops that read a bounded channel and write into others: some into channels whose readers wait for room in theirs. Their twins have a second reader, a limit, room,
/// or a reader that takes long.
/// </summary>
#pragma warning disable CA1822 // They live as long as the process.
public sealed class FullChannels
{
    /// <summary>Two, each of which makes two of one; a third only feeds them.</summary>
    public static void StartPair(int count)
    {
        var parse = new Stage();
        var retry = new Stage { Next = parse };
        parse.Next = retry;
        Start(parse, parse.RunAsync(), retry.RunAsync(), FeedAsync(parse.Items));
    }

    /// <summary>One that writes into its own channel; who waits for room waits with WaitToWriteAsync.</summary>
    public static void StartSelf(int count)
    {
        var crawler = new Stage { Asks = true };
        crawler.Next = crawler;
        Start(crawler, crawler.RunAsync(), FeedAsync(crawler.Items));
    }

    /// <summary>One that holds a semaphore while it writes; the reader needs it.</summary>
    public static void StartGate(int count)
    {
        var store = new Store();
        Start(store, store.FillAsync(), store.DrainAsync(TimeSpan.Zero));
    }

    /// <summary>The same with several readers: none of them goes on.</summary>
    public static void StartReaders(int count)
    {
        var store = new Store();
        Start(store, store.FillAsync(), store.DrainAsync(TimeSpan.Zero), store.DrainAsync(TimeSpan.Zero));
    }

    /// <summary>One that waits for an answer of another, which waits for room in the mailbox of the first.</summary>
    public static void StartAsk(int count)
    {
        var desk = new Desk();
        Start(desk, desk.AskAsync(), desk.AnswerAsync());
    }

    /// <summary>Perhaps a deadlock: other code could take something out.</summary>
    public static void StartTrimmed(int count)
    {
        var trimmed = new Trimmed();
        Start(trimmed, trimmed.RunAsync());
        if (count < 0)
            trimmed.Trim();
    }

    /// <summary>No deadlock in any of them.</summary>
    public static void StartAlike(int count)
    {
        // A reader that takes long.
        var slow = new Stage { Pause = TimeSpan.FromHours(1) };
        slow.Next = slow;
        // Two readers.
        var shared = new Stage { Pause = TimeSpan.FromHours(1) };
        var other = new Stage { Items = shared.Items, Next = shared };
        // Who waits, waits with a limit.
        var limited = new Stage { Limit = TimeSpan.FromHours(1) };
        limited.Next = limited;
        // There is always room.
        var newest = new Stage { Items = Channel.CreateBounded<Page>(new BoundedChannelOptions(2) { FullMode = BoundedChannelFullMode.DropOldest }), Pause = TimeSpan.FromSeconds(1) };
        newest.Next = newest;
        var store = new Store();
        // One of its readers will go on.
        var busy = new Store();
        Start(slow, slow.RunAsync(), FeedAsync(slow.Items), shared.RunAsync(), other.RunAsync(), FeedAsync(shared.Items), limited.RunAsync(), FeedAsync(limited.Items, TimeSpan.FromHours(1)),
            newest.RunAsync(), FeedAsync(newest.Items), store.FillAsync(), store.DrainAsync(TimeSpan.FromHours(1)),
            busy.FillAsync(), busy.DrainAsync(TimeSpan.Zero), busy.DrainAsync(TimeSpan.FromHours(1)));
        Marks.Keep(busy);
    }

    private static void Start(object state, params Task[] tasks)
    {
        Marks.Keep(state);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(800);
    }

    private static async Task FeedAsync(Channel<Page> items, TimeSpan? limit = null)
    {
        using var timeout = new CancellationTokenSource();
        if (limit is { } time)
            timeout.CancelAfter(time);
        for (int i = 0; i < 20; i++)
            await items.Writer.WriteAsync(new Page(i), timeout.Token);
    }

    public sealed record Page(int Number);

    public sealed record Draft(int Number);

    private sealed class Stage
    {
        private int _handled;

        public Channel<Page> Items { get; init; } = Channel.CreateBounded<Page>(2);

        public Stage? Next { get; set; }

        public TimeSpan Pause { get; init; } = TimeSpan.FromMilliseconds(20);

        public TimeSpan? Limit { get; init; }

        public bool Asks { get; init; }

        public async Task RunAsync()
        {
            await foreach (Page item in Items.Reader.ReadAllAsync())
            {
                await Task.Delay(Pause);
                for (int i = 0; i < 4; i++)
                    await SendAsync(item);
                _handled++;
            }
        }

        private async Task SendAsync(Page item)
        {
            ChannelWriter<Page> writer = Next!.Items.Writer;
            if (Asks)
            {
                while (!writer.TryWrite(item))
                    await writer.WaitToWriteAsync();
                return;
            }
            using var timeout = new CancellationTokenSource();
            if (Limit is { } limit)
                timeout.CancelAfter(limit);
            await writer.WriteAsync(item, timeout.Token);
            _handled++;
        }
    }

    private sealed class Store
    {
        private readonly SemaphoreSlim _open = new(1, 1);
        private readonly Channel<Page> _rows = Channel.CreateBounded<Page>(3);
        private int _written;

        public async Task FillAsync()
        {
            await _open.WaitAsync();
            try
            {
                for (int i = 0; i < 9; i++)
                    await _rows.Writer.WriteAsync(new Page(i));
            }
            finally
            {
                _open.Release();
            }
        }

        public async Task DrainAsync(TimeSpan pause)
        {
            while (await _rows.Reader.WaitToReadAsync())
            {
                while (_rows.Reader.TryRead(out Page? row))
                    await WriteAsync(row.Number, pause);
            }
        }

        private async Task WriteAsync(int row, TimeSpan pause)
        {
            await Task.Delay(pause);
            await _open.WaitAsync();
            try
            {
                _written += row;
            }
            finally
            {
                _open.Release();
            }
        }
    }

    private sealed class Desk
    {
        private readonly Channel<TaskCompletionSource<int>> _asked = Channel.CreateBounded<TaskCompletionSource<int>>(2);
        private readonly Channel<Page> _notes = Channel.CreateBounded<Page>(2);
        private int _sum;

        public async Task AskAsync()
        {
            _notes.Writer.TryWrite(new Page(1));
            await foreach (Page note in _notes.Reader.ReadAllAsync())
            {
                var answer = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
                await _asked.Writer.WriteAsync(answer);
                _sum += note.Number + await answer.Task;
            }
        }

        public async Task AnswerAsync()
        {
            for (; ; )
            {
                TaskCompletionSource<int> asked = await _asked.Reader.ReadAsync();
                for (int i = 0; i < 5; i++)
                    await _notes.Writer.WriteAsync(new Page(i));
                asked.SetResult(_sum);
            }
        }
    }

    private sealed class Trimmed
    {
        private readonly Channel<Draft> _items = Channel.CreateBounded<Draft>(2);
        private int _sum;

        public async Task RunAsync()
        {
            _items.Writer.TryWrite(new Draft(1));
            await foreach (Draft item in _items.Reader.ReadAllAsync())
            {
                for (int i = 0; i < 4; i++)
                    await _items.Writer.WriteAsync(item);
                _sum += item.Number;
            }
        }

        public void Trim()
        {
            while (_items.Reader.TryRead(out Draft? item))
                _sum -= item.Number;
        }
    }
}
