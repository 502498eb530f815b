namespace Situations;

/// <summary>
/// Locks for readers and writers as programs make them out of two semaphores: the first reader takes the writer's, and the last one gives it back, so that code says of each reader
/// that it might have it. One reader writes before it has finished reading; in the twin readers take long. And iterators that hold a semaphore at a <c>yield</c>: one that nobody
/// reads to its end, and one whose reader takes long.
/// </summary>
public static class Readers
{
    /// <summary>Who reads also waits to write, which nobody can while somebody reads.</summary>
    public static void StartUpgrade(int count)
    {
        var shelf = new Shelf();
        Marks.Keep(shelf);
        Start(shelf.FindAsync("a"), shelf.FindAsync("b"), shelf.AddAsync("c"));
    }

    /// <summary>Readers take long, and a writer waits for them.</summary>
    public static void StartSlow(int count)
    {
        var shelf = new Shelf();
        Marks.Keep(shelf);
        Start(shelf.CountAsync(), shelf.CountAsync(), shelf.AddAsync("c"));
    }

    /// <summary>Somebody has read a first page, kept the enumerator, and asks for no more.</summary>
    public static void StartKept(int count)
    {
        var shelf = new Shelf();
        Marks.Keep(shelf);
        Start(shelf.FirstPageAsync());
        Start(shelf.AllPagesAsync(), shelf.AllPagesAsync());
    }

    /// <summary>The same, read to its end by somebody who takes long with each page.</summary>
    public static void StartLoop(int count)
    {
        var shelf = new Shelf();
        Marks.Keep(shelf);
        Start(shelf.PrintAsync());
        Start(shelf.AllPagesAsync());
    }

    private static void Start(params Task[] tasks)
    {
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(300);
    }

    private sealed class Shelf
    {
        private readonly SemaphoreSlim _counting = new(1, 1), _writing = new(1, 1);
        private readonly Dictionary<string, int> _books = [];
        private int _readers;
        private IAsyncEnumerator<int>? _open;

        public async Task<int> FindAsync(string book)
        {
            await EnterReadAsync();
            try
            {
                if (!_books.TryGetValue(book, out int place))
                    await AddAsync(book).At("upgrade");
                return place;
            }
            finally
            {
                await ExitReadAsync();
            }
        }

        public async Task<int> CountAsync()
        {
            await EnterReadAsync();
            try
            {
                await Task.Delay(TimeSpan.FromHours(1));
                return _books.Count;
            }
            finally
            {
                await ExitReadAsync();
            }
        }

        public async Task AddAsync(string book)
        {
            await _writing.WaitAsync();
            try
            {
                _books[book] = _books.Count;
                await Task.Yield();
            }
            finally
            {
                _writing.Release();
            }
        }

        public async Task<int> FirstPageAsync()
        {
            _open = PagesAsync().GetAsyncEnumerator();
            await _open.MoveNextAsync();
            return _open.Current;
        }

        public async Task<int> AllPagesAsync()
        {
            int sum = 0;
            await foreach (int page in PagesAsync())
                sum += page;
            return sum;
        }

        public async Task PrintAsync()
        {
            await foreach (int page in PagesAsync())
                await Task.Delay(TimeSpan.FromHours(page));
        }

        private async IAsyncEnumerable<int> PagesAsync()
        {
            await _writing.WaitAsync();
            try
            {
                for (int page = 1; page < 9; page++)
                {
                    await Task.Yield();
                    yield return page;
                }
            }
            finally
            {
                _writing.Release();
            }
        }

        private async Task EnterReadAsync()
        {
            await _counting.WaitAsync();
            try
            {
                if (++_readers == 1)
                    await _writing.WaitAsync();
            }
            finally
            {
                _counting.Release();
            }
        }

        private async Task ExitReadAsync()
        {
            await _counting.WaitAsync();
            try
            {
                if (--_readers == 0)
                    _writing.Release();
            }
            finally
            {
                _counting.Release();
            }
        }
    }
}
