using System.Threading.Channels;

namespace Situations;

/// <summary>A channel as a pool, with a bound or without: who reads a connection from it writes it back. The deadlock has twins: one in which holders take long, and queues of work.</summary>
#pragma warning disable CA1859, CA1822 // Types are what this is about.
public sealed class Lent
{
    private readonly Pool _pool;
    private int _worked;

    private Lent(bool isBounded = true) => _pool = new(isBounded ? Channel.CreateBounded<Connection>(3) : Channel.CreateUnbounded<Connection>());

    /// <summary>Each has one, and wants another.</summary>
    public static void StartPool(int count)
    {
        var all = new Lent();
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.BuildAsync())]);
    }

    /// <summary>The same where the channel has no bound: how many there are is not known.</summary>
    public static void StartOpen(int count)
    {
        var all = new Lent(isBounded: false);
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.BuildAsync())]);
    }

    /// <summary>Each has one, which goes back when it is disposed of, and wants another when it fails.</summary>
    public static void StartOpenUsing(int count)
    {
        var all = new Lent(isBounded: false);
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.PostAsync()), WatchAsync()]);
    }

    /// <summary>Not a deadlock: one of those who have one takes long.</summary>
    public static void StartOpenUsingSlow(int count)
    {
        var all = new Lent(isBounded: false);
        Start(all, all.PostAsync(), all.PostAsync(), all.KeepAsync(), all.PostAsync());
    }

    /// <summary>Not a deadlock: who has one takes long.</summary>
    public static void StartOpenSlow(int count)
    {
        var all = new Lent(isBounded: false);
        Start(all, all.StayAsync(), all.StayAsync(), all.StayAsync(), all.BuildAsync(), all.BuildAsync());
    }

    /// <summary>Not a deadlock: who has one takes long.</summary>
    public static void StartSlow(int count)
    {
        var all = new Lent();
        Start(all, all.StayAsync(), all.StayAsync(), all.StayAsync(), all.BuildAsync());
    }

    /// <summary>Not a pool: a queue of work. A batch that fails goes back to it, and a worker waits for the rest of its own.</summary>
    public static void StartQueue(int count) => StartQueue(Channel.CreateBounded<Connection>(10));

    /// <summary>The same without a bound.</summary>
    public static void StartOpenQueue(int count) => StartQueue(Channel.CreateUnbounded<Connection>());

    private static void StartQueue(Channel<Connection> jobs)
    {
        var all = new Lent();
        Marks.Keep(jobs);
        jobs.Writer.TryWrite(new Connection(1));
        Start(all, all.CollectAsync(jobs), all.WorkAsync(jobs), all.WorkAsync(jobs));
    }

    private static void Start(Lent all, params Task[] tasks)
    {
        Marks.Keep(all);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(500);
    }

    private async Task BuildAsync()
    {
        Connection own = await _pool.RentAsync();
        try
        {
            await own.QueryAsync();
            await DetailsAsync();
        }
        finally
        {
            _pool.Return(own);
        }
    }

    private async Task DetailsAsync()
    {
        Connection own = await _pool.RentAsync();
        try
        {
            await own.QueryAsync();
            _worked++;
        }
        finally
        {
            _pool.Return(own);
        }
    }

    private async Task<string> PostAsync()
    {
        await using Lease own = await _pool.OpenAsync();
        try
        {
            await own.FailAsync();
            return "posted";
        }
        catch (InvalidOperationException)
        {
            await LogAsync();
            return "logged";
        }
    }

    // What is disposed of in the end is in a closure.
    private static async Task WatchAsync()
    {
        using var seen = new MemoryStream();
        Func<bool> looks = () => seen.CanRead;
        Marks.Keep(looks);
        await Task.Delay(TimeSpan.FromHours(1));
    }

    private async Task LogAsync()
    {
        await using Lease own = await _pool.OpenAsync();
        await own.Connection.QueryAsync();
    }

    private async Task KeepAsync()
    {
        await using Lease own = await _pool.OpenAsync();
        await Task.Delay(TimeSpan.FromHours(1));
    }

    private async Task StayAsync()
    {
        Connection own = await _pool.RentAsync();
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            _pool.Return(own);
        }
    }

    private async Task CollectAsync(Channel<Connection> jobs)
    {
        Connection first = await jobs.Reader.ReadAsync();
        try
        {
            Connection second = await jobs.Reader.ReadAsync();
            await second.QueryAsync();
            _worked++;
        }
        catch (InvalidOperationException)
        {
            jobs.Writer.TryWrite(first);
        }
    }

    private async Task WorkAsync(Channel<Connection> jobs)
    {
        for (; ; )
        {
            Connection job = await jobs.Reader.ReadAsync();
            try
            {
                await job.QueryAsync();
            }
            catch (InvalidOperationException)
            {
                await jobs.Writer.WriteAsync(job);
            }
        }
    }

    private sealed class Connection(int number)
    {
        public async Task<int> QueryAsync()
        {
            await Task.Delay(20);
            return number;
        }
    }

    private sealed class Lease(Pool pool, Connection connection) : IAsyncDisposable
    {
        public Connection Connection => connection;

        public async Task FailAsync()
        {
            await connection.QueryAsync();
            throw new InvalidOperationException("duplicate");
        }

        public ValueTask DisposeAsync()
        {
            pool.Return(connection);
            return ValueTask.CompletedTask;
        }
    }

    private sealed class Pool
    {
        private readonly Channel<Connection> _free;

        public Pool(Channel<Connection> free)
        {
            _free = free;
            for (int i = 0; i < 3; i++)
                _free.Writer.TryWrite(new Connection(i));
        }

        public ValueTask<Connection> RentAsync(CancellationToken token = default) => _free.Reader.ReadAsync(token);

        public async Task<Lease> OpenAsync() => new(this, await LendAsync());

        // Optimised code leaves no frame of it.
        private async Task<Connection> LendAsync() => await _free.Reader.ReadAsync();

        public void Return(Connection connection) => _free.Writer.TryWrite(connection);
    }
}
