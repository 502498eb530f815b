using System.Threading.Channels;

namespace Situations;

/// <summary>A pool whose connections come from a method of its own, and do not go back when their use fails; and a queue of work that is read in the same way.</summary>
public sealed class LentLost
{
    private readonly Channel<int> _free = Channel.CreateBounded<int>(3);
    private int _lent, _orders;

    private LentLost(int items)
    {
        for (int i = 0; i < items; i++)
            _free.Writer.TryWrite(i);
    }

    /// <summary>All connections are lost, and all wait for one.</summary>
    public static void StartLost(int count)
    {
        var all = new LentLost(3);
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.SaveAsync())]);
        SpinWait.SpinUntil(() => Volatile.Read(ref all._lent) == 3, TimeSpan.FromSeconds(20));
        Thread.Sleep(500);
    }

    /// <summary>Not stuck: who has one takes long.</summary>
    public static void StartSlow(int count)
    {
        var all = new Kept();
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.StayAsync())]);
    }

    /// <summary>Not stuck: there is nothing to do, and a timer brings something.</summary>
    public static void StartJobs(int count)
    {
        var all = new LentLost(0);
        Marks.Keep(new Timer(_ => all._free.Writer.TryWrite(1), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        Start(all, [.. Enumerable.Range(0, 4).Select(_ => all.SaveAsync())]);
    }

    private static void Start(object all, params Task[] tasks)
    {
        Marks.Keep(all);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(500);
    }

    private async Task SaveAsync()
    {
        for (; ; )
        {
            try
            {
                int own = await TakeAsync();
                await InsertAsync(Interlocked.Increment(ref _orders));
                Return(own);
            }
            catch (InvalidOperationException)
            {
            }
        }
    }

    private static async Task InsertAsync(int order)
    {
        await Task.Delay(10);
        if (order % 2 == 0)
            throw new InvalidOperationException("duplicate");
    }

    private async Task<int> TakeAsync()
    {
        int own = await _free.Reader.ReadAsync();
        Interlocked.Increment(ref _lent);
        return own;
    }

    private void Return(int own)
    {
        Interlocked.Decrement(ref _lent);
        _free.Writer.TryWrite(own);
    }

    // A class of its own: what the program could start is not what it has started.
    private sealed class Kept
    {
        private readonly Channel<int> _free = Channel.CreateBounded<int>(1);

        public Kept() => _free.Writer.TryWrite(1);

        public async Task StayAsync()
        {
            int own = await TakeAsync();
            try
            {
                await Task.Delay(TimeSpan.FromHours(1));
            }
            finally
            {
                Return(own);
            }
        }

        private async Task<int> TakeAsync()
        {
            int own = await _free.Reader.ReadAsync();
            Marks.Keep(own);
            return own;
        }

        private void Return(int own) => _free.Writer.TryWrite(own);
    }
}
