using System.Collections.Concurrent;

namespace Situations;

/// <summary>
/// Healthy: promises that somebody has in hand who will complete them: a thread that has taken one out of a queue, and a loop that has made an object with one inside.
/// </summary>
public static class InHand
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);

    public static void Start(int count)
    {
        var runner = new Runner();
        Marks.Keep(runner);
        Marks.Keep(AskAsync(runner));
        Marks.Keep(SeatAsync());
        Thread.Sleep(500);
    }

    private static async Task AskAsync(Runner runner) => Marks.Keep(await runner.Enqueue(LoadAsync));

    private static async Task<decimal> LoadAsync()
    {
        await Task.Delay(Long);
        return 1;
    }

    private static async Task SeatAsync()
    {
        while (true)
        {
            var table = new Table(2);
            Marks.Keep(ServeAsync(table));
            for (int i = 0; i < 2; i++)
            {
                await Task.Delay(Long);
                table.Join(i);
            }
        }
    }

    private static async Task ServeAsync(Table table)
    {
        await table.Full;
        Marks.Keep(table);
    }

    // Its threads wait for what they have taken out.
    private sealed class Runner
    {
        private readonly BlockingCollection<Ticket> _queue = [];

        public Runner() => new Thread(Work) { IsBackground = true }.Start();

        private sealed record Ticket(Func<Task<decimal>> Job, TaskCompletionSource<decimal> Done);

        public Task<decimal> Enqueue(Func<Task<decimal>> job)
        {
            var ticket = new Ticket(job, new(TaskCreationOptions.RunContinuationsAsynchronously));
            _queue.Add(ticket);
            return ticket.Done.Task;
        }

        private void Work()
        {
            foreach (Ticket ticket in _queue.GetConsumingEnumerable())
            {
                try
                {
                    ticket.Done.TrySetResult(ticket.Job().GetAwaiter().GetResult());
                }
                catch (InvalidOperationException e)
                {
                    ticket.Done.TrySetException(e);
                }
            }
        }
    }

    private sealed class Table(int seats)
    {
        private readonly List<int> _guests = [];
        private readonly TaskCompletionSource _full = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Full => _full.Task;

        public void Join(int guest)
        {
            lock (_guests)
            {
                _guests.Add(guest);
                if (_guests.Count == seats)
                    _full.TrySetResult();
            }
        }
    }
}
