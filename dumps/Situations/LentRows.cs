using System.Threading.Channels;

namespace Situations;

/// <summary>
/// A pool that lends what is free at once and otherwise waits, so that code does not tell what was taken. Iterators take a connection, and give it back when they are disposed of: who reads rows
/// has one between two of them.
/// </summary>
public sealed class LentRows
{
    private readonly Pool _pool = new(3);
    private int _worked;

    /// <summary>Three iterators were never disposed of.</summary>
    public static void StartLost(int count)
    {
        var all = new LentRows();
        Start(all, all.LookUpAsync());
        // On a busy machine it takes its time to come to the one that waits.
        SpinWait.SpinUntil(() => Volatile.Read(ref all._worked) == 3, TimeSpan.FromSeconds(20));
        Thread.Sleep(500);
    }

    /// <summary>Not a deadlock: who reads the rows takes long over each, and gives them up then.</summary>
    public static void StartSlow(int count)
    {
        var all = new LentRows();
        Start(all, [.. Enumerable.Range(0, 3).Select(_ => all.ShowAsync()), all.FirstAsync()]);
    }

    private static void Start(LentRows all, params Task[] tasks)
    {
        Marks.Keep(all);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(500);
    }

    private async IAsyncEnumerable<(int Row, string Text)> RowsAsync()
    {
        Connection own = await _pool.TakeAsync();
        try
        {
            for (int i = 0; i < 10; i++)
                yield return await own.ReadAsync(i);
        }
        finally
        {
            _pool.Return(own);
        }
    }

    private async Task LookUpAsync()
    {
        for (int i = 0; i < 10; i++)
        {
            if (await ForgetAsync())
                _worked++;
        }
    }

    private async Task<bool> ForgetAsync() => await RowsAsync().GetAsyncEnumerator().MoveNextAsync();

    private async Task ShowAsync()
    {
        await foreach ((int row, string _) in RowsAsync())
            await Task.Delay(TimeSpan.FromHours(1 + row));
    }

    private async Task FirstAsync()
    {
        await Task.Delay(200);
        await using IAsyncEnumerator<(int Row, string Text)> rows = RowsAsync().GetAsyncEnumerator();
        await rows.MoveNextAsync();
    }

    private sealed class Connection(int number)
    {
        public async Task<(int Row, string Text)> ReadAsync(int row)
        {
            await Task.Delay(5);
            return (row, $"{number}");
        }
    }

    private sealed class Pool
    {
        private readonly Channel<Connection> _idle;

        public Pool(int size)
        {
            _idle = Channel.CreateBounded<Connection>(size);
            for (int i = 0; i < size; i++)
                _idle.Writer.TryWrite(new Connection(i));
        }

        public async ValueTask<Connection> TakeAsync()
        {
            if (_idle.Reader.TryRead(out Connection? ready))
                return ready;
            return await _idle.Reader.ReadAsync();
        }

        public void Return(Connection own) => _idle.Writer.TryWrite(own);
    }
}
