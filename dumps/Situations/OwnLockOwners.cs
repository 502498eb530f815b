namespace Situations;

#pragma warning disable CA1001, CA1822 // Shapes of code, not a library.
/// <summary>Locks of a program's own making that know who has them, or whose queue has entries of its own. Each deadlock has a twin that is none.</summary>
public static partial class OwnLocks
{
    private static readonly OwnerLock Ledger = new(), Stock = new();

    /// <summary>Its owner may enter again; two take two of them in the other order.</summary>
    public static void StartOwner(int count) => Start(OrderAsync("order"), RefundAsync("refund"));

    /// <summary>Structs stand in its queue; it waits for what its caller holds.</summary>
    public static void StartEntries(int count)
    {
        var catalog = new Catalog();
        Marks.Keep(catalog);
        Start(catalog.RefreshAsync());
    }

    /// <summary>Not a deadlock: one of them takes long; and what looks like a lock is a batch, for which all wait who have added to it.</summary>
    public static void StartOwnerSlow(int count)
    {
        var catalog = new Catalog();
        var batch = new Batch();
        Marks.Keep(catalog);
        Marks.Keep(batch);
        Start(SendAsync(batch), StayAsync("stays"), OrderAsync("order"), OrderAsync("other"), catalog.StayAsync(), catalog.LoadAsync());
    }

    private static async Task OrderAsync(object me)
    {
        await Ledger.EnterAsync(me);
        try
        {
            await Together.Met;
            await Ledger.EnterAsync(me);
            try
            {
                await Stock.EnterAsync(me);
                _worked++;
                Stock.Exit();
            }
            finally
            {
                Ledger.Exit();
            }
        }
        finally
        {
            Ledger.Exit();
        }
    }

    private static async Task RefundAsync(object me)
    {
        await Stock.EnterAsync(me);
        try
        {
            await Together.Met;
            await Ledger.EnterAsync(me);
            _worked++;
            Ledger.Exit();
        }
        finally
        {
            Stock.Exit();
        }
    }

    private static async Task StayAsync(object me)
    {
        await Stock.EnterAsync(me);
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            Stock.Exit();
        }
    }

    private static async Task SendAsync(Batch batch)
    {
        Task first = batch.AddAsync(1);
        await batch.AddAsync(2);
        batch.Flush();
        await first;
    }

    private sealed class Batch
    {
        private readonly List<int> _items = [];
        private TaskCompletionSource? _sent;

        public Task AddAsync(int item)
        {
            _items.Add(item);
            if (_sent == null)
                _sent = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _sent.Task;
        }

        public void Flush()
        {
            while (_items.Count > 0)
                _items.RemoveAt(_items.Count - 1);
            _sent?.SetResult();
            _sent = null;
        }
    }

    private sealed class Catalog
    {
        private readonly EntryLock _lock = new();

        public async Task RefreshAsync()
        {
            using (await _lock.AcquireAsync())
            {
                await Task.Delay(20);
                await LoadAsync();
            }
        }

        public async Task LoadAsync()
        {
            using (await _lock.AcquireAsync())
                _worked++;
        }

        public async Task StayAsync()
        {
            using (await _lock.AcquireAsync())
                await Task.Delay(TimeSpan.FromHours(1));
        }
    }

    /// <summary>First come, first served; who has it may enter again.</summary>
    private sealed class OwnerLock
    {
        private readonly object _sync = new();
        private readonly Queue<Ticket> _line = new();
        private object? _owner;
        private int _depth;

        public Task EnterAsync(object who)
        {
            lock (_sync)
            {
                if (_owner == null || ReferenceEquals(_owner, who))
                {
                    _owner = who;
                    _depth++;
                    return Task.CompletedTask;
                }
                var ticket = new Ticket { Owner = who };
                _line.Enqueue(ticket);
                return ticket.Source.Task;
            }
        }

        public void Exit()
        {
            Ticket? next = null;
            lock (_sync)
            {
                if (--_depth > 0)
                    return;
                if (_line.Count > 0)
                {
                    next = _line.Dequeue();
                    _owner = next.Owner;
                    _depth = 1;
                }
                else
                {
                    _owner = null;
                }
            }
            next?.Source.TrySetResult(true);
        }

        private sealed class Ticket
        {
            public TaskCompletionSource<bool> Source { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

            public object? Owner { get; init; }
        }
    }

    /// <summary>A struct for each who waits.</summary>
    private sealed class EntryLock
    {
        private readonly Queue<Entry> _line = new();
        private bool _held;
        private long _next;

        public ValueTask<IDisposable> AcquireAsync()
        {
            lock (_line)
            {
                if (!_held)
                {
                    _held = true;
                    return new ValueTask<IDisposable>(new Handle(this));
                }
                var source = new TaskCompletionSource<IDisposable>(TaskCreationOptions.RunContinuationsAsynchronously);
                _line.Enqueue(new Entry(source, _next++));
                return new ValueTask<IDisposable>(source.Task);
            }
        }

        private void Pass()
        {
            TaskCompletionSource<IDisposable> source;
            lock (_line)
            {
                if (_line.Count == 0)
                {
                    _held = false;
                    return;
                }
                source = _line.Dequeue().Source;
            }
            source.TrySetResult(new Handle(this));
        }

        private readonly struct Entry(TaskCompletionSource<IDisposable> source, long number)
        {
            public TaskCompletionSource<IDisposable> Source { get; } = source;

            public long Number { get; } = number;
        }

        private sealed class Handle(EntryLock owner) : IDisposable
        {
            private EntryLock? _owner = owner;

            public void Dispose() => Interlocked.Exchange(ref _owner, null)?.Pass();
        }
    }
}
