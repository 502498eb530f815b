using System.Threading.Channels;

namespace Situations;

/// <summary>A bounded channel as a pool: who reads a connection from it writes it back. The deadlock has twins: one in which holders take long, and queues of work.</summary>
#pragma warning disable CA1859, CA1822 // Types are what this is about.
public sealed class Lent
{
    private readonly Pool _pool = new(3);
    private int _worked;

    /// <summary>Each has one, and wants another.</summary>
    public static void StartPool(int count)
    {
        var all = new Lent();
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.BuildAsync())]);
    }

    /// <summary>Not a deadlock: who has one takes long.</summary>
    public static void StartSlow(int count)
    {
        var all = new Lent();
        Start(all, all.StayAsync(), all.StayAsync(), all.StayAsync(), all.BuildAsync());
    }

    /// <summary>Not a pool: a queue of work. A batch that fails goes back to it, and a worker waits for the rest of its own.</summary>
    public static void StartQueue(int count)
    {
        var jobs = Channel.CreateBounded<Connection>(10);
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

    private sealed class Pool
    {
        private readonly Channel<Connection> _free;

        public Pool(int size)
        {
            _free = Channel.CreateBounded<Connection>(size);
            for (int i = 0; i < size; i++)
                _free.Writer.TryWrite(new Connection(i));
        }

        public ValueTask<Connection> RentAsync(CancellationToken token = default) => _free.Reader.ReadAsync(token);

        public void Return(Connection connection) => _free.Writer.TryWrite(connection);
    }
}
