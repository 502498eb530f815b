using System.Collections.Concurrent;

namespace Situations;

/// <summary>
/// Threads that take out of a BlockingCollection, and wait for room in others: some in those whose takers wait for room in theirs. Their twins have a second taker, a
/// limit, or a taker that takes long.
/// </summary>
#pragma warning disable CA1001, CA2000 // They live as long as the process.
public static class FullCollections
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);

    /// <summary>Two, each of which makes two of one.</summary>
    public static void StartPair(int count)
    {
        var parse = new Stage();
        var retry = new Stage { Next = parse };
        parse.Next = retry;
        parse.Fill();
        Run(parse.Run, retry.Run);
    }

    /// <summary>One that has its collections as arguments, and a task that takes.</summary>
    public static void StartPassed(int count)
    {
        BlockingCollection<Draft> drafts = new(2), letters = new(2);
        Marks.Keep(drafts);
        drafts.Add(new Draft(1));
        Run(() => Copy(drafts, letters), () => Copy(letters, drafts));
    }

    /// <summary>One that has a lock while it adds; who takes needs it.</summary>
    public static void StartLocked(int count)
    {
        var store = new Store();
        Run(store.Fill, () => store.Drain(TimeSpan.Zero));
    }

    /// <summary>An async method that has a semaphore while it adds; another, which takes, waits for that.</summary>
    public static void StartAsync(int count)
    {
        var pump = new Pump();
        Marks.Keep(pump);
        Marks.Keep(pump.FillAsync());
        Marks.Keep(pump.DrainAsync());
        Thread.Sleep(500);
    }

    /// <summary>Perhaps a deadlock: other code could take something out.</summary>
    public static void StartTrimmed(int count)
    {
        var trimmed = new Trimmed();
        Run(trimmed.Run);
        if (count < 0)
            trimmed.Trim();
    }

    /// <summary>Who took out has returned; a thread waits for room for ever.</summary>
    public static void StartLeft(int count)
    {
        var inbox = new Inbox(fails: false);
        Run(inbox.Read, inbox.Write);
    }

    /// <summary>Who took out was a task that has failed.</summary>
    public static void StartFailed(int count)
    {
        var inbox = new Inbox(fails: true);
        Marks.Keep(Task.Run(() => inbox.Read()));
        Run(inbox.Write);
    }

    /// <summary>The same with somebody who takes long, and with a timer that takes.</summary>
    public static void StartEnded(int count)
    {
        var slow = new Inbox(fails: false) { Pause = Long };
        var timed = new Inbox(fails: false);
        Marks.Keep(new Timer(_ => timed.Read(), null, Long, Timeout.InfiniteTimeSpan));
        Run(slow.Read, slow.Write, timed.Write);
    }

    /// <summary>No deadlock in any of them.</summary>
    public static void StartAlike(int count)
    {
        // One that takes long.
        var slow = new Stage { Pause = Long };
        slow.Next = slow;
        slow.Fill();
        // Two that take.
        var shared = new Stage();
        var other = new Stage { Items = shared.Items, Next = shared, Pause = Long };
        shared.Next = shared;
        shared.Fill();
        // Who waits, waits with a limit: of its own, or that of its token.
        var patient = new Limited();
        var store = new Store();
        Run(slow.Run, () => Feed(slow.Items), other.Run, shared.Run, patient.Run, patient.RunWithToken, store.Fill, () => store.Drain(Long), Spread);
    }

    private static void Run(params Action[] threads)
    {
        foreach (Action work in threads)
        {
            new Thread(() => work()) { IsBackground = true }.Start();
            Thread.Sleep(100);
        }
        Thread.Sleep(300);
    }

    private static void Feed(BlockingCollection<Page> items)
    {
        for (int i = 0; i < 20; i++)
            items.Add(new Page(i));
    }

    private static void Copy(BlockingCollection<Draft> from, BlockingCollection<Draft> to)
    {
        foreach (Draft draft in from.GetConsumingEnumerable())
        {
            to.Add(draft);
            to.Add(draft with { Number = draft.Number + 1 });
        }
    }

    // Others take out, too.
    private static void Spread()
    {
        var numbers = new BlockingCollection<long>(2) { 1, 2 };
        var options = new ParallelOptions { MaxDegreeOfParallelism = 2 };
        Parallel.ForEach(numbers.GetConsumingEnumerable(), options, number =>
        {
            if (number == 1)
                Thread.Sleep(Long);
            for (int i = 0; i < 5; i++)
                numbers.Add(number);
        });
    }

    public sealed record Page(int Number);

    public sealed record Draft(int Number);

    private sealed class Stage
    {
        private int _handled;

        public BlockingCollection<Page> Items { get; init; } = new(2);

        public Stage? Next { get; set; }

        public TimeSpan Pause { get; init; } = TimeSpan.FromMilliseconds(20);

        public void Fill()
        {
            Items.Add(new Page(1));
            Items.Add(new Page(2));
        }

        public void Run()
        {
            foreach (Page item in Items.GetConsumingEnumerable())
            {
                Thread.Sleep(Pause);
                for (int i = 0; i < 4; i++)
                    Send(item);
                _handled++;
            }
        }

        private void Send(Page item)
        {
            Next!.Items.Add(item);
            _handled++;
        }
    }

    private sealed class Store
    {
        private readonly object _open = new();
        private readonly BlockingCollection<short> _rows = new(3);
        private int _written;

        public void Fill()
        {
            lock (_open)
            {
                for (short i = 0; i < 9; i++)
                    _rows.Add(i);
            }
        }

        public void Drain(TimeSpan pause)
        {
            while (!_rows.IsCompleted)
            {
                int row = _rows.Take();
                Thread.Sleep(pause);
                lock (_open)
                    _written += row;
            }
        }
    }

    private sealed class Pump
    {
        private readonly SemaphoreSlim _one = new(1, 1);
        private readonly BlockingCollection<byte> _bytes = new(3);
        private int _sum;

        public async Task FillAsync()
        {
            await _one.WaitAsync();
            try
            {
                await Task.Delay(10);
                for (byte i = 0; i < 9; i++)
                    _bytes.Add(i);
            }
            finally
            {
                _one.Release();
            }
        }

        public async Task DrainAsync()
        {
            await Task.Yield();
            foreach (byte item in _bytes.GetConsumingEnumerable())
            {
                await _one.WaitAsync();
                _sum += item;
                _one.Release();
            }
        }
    }

    private sealed class Inbox(bool fails)
    {
        private readonly BlockingCollection<char> _letters = new(3);
        private int _read;

        public TimeSpan Pause { get; init; }

        public void Read()
        {
            foreach (char letter in _letters.GetConsumingEnumerable())
            {
                Thread.Sleep(Pause);
                if (fails && letter == 'c')
                    throw new FormatException("no letter");
                if (letter == 'c')
                    return;
                _read++;
            }
        }

        public void Write()
        {
            for (char letter = 'a'; letter <= 'z'; letter++)
                _letters.Add(letter);
        }
    }

    private sealed class Trimmed
    {
        private readonly BlockingCollection<double> _items = new(2);
        private double _sum;

        public void Run()
        {
            _items.Add(1);
            for (; ; )
            {
                double item = _items.Take();
                for (int i = 0; i < 4; i++)
                    _items.Add(item);
                _sum += item;
            }
        }

        public void Trim()
        {
            while (_items.TryTake(out double item))
                _sum -= item;
        }
    }

    private sealed class Limited
    {
        private readonly BlockingCollection<float> _own = new(2);
        private readonly BlockingCollection<decimal> _withToken = new(2);
        private int _turns;

        public void Run()
        {
            _own.Add(1);
            for (; ; _turns++)
            {
                float item = _own.Take();
                for (int i = 0; i < 3; i++)
                    _own.TryAdd(item, Long);
            }
        }

        public void RunWithToken()
        {
            using var stop = new CancellationTokenSource(Long);
            _withToken.Add(1, stop.Token);
            for (; ; _turns++)
            {
                decimal item = _withToken.Take();
                for (int i = 0; i < 3; i++)
                    _withToken.Add(item, stop.Token);
            }
        }
    }
}
