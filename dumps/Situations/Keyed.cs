using System.Collections.Concurrent;

namespace Situations;

/// <summary>A semaphore for each key, from a dictionary: kept in locals, asked for again by each use, or behind a releaser. Each deadlock has a twin that is none.</summary>
#pragma warning disable CA1001, CA2000, CA1859 // They live as long as the process, and types are what this is about.
public sealed class Keyed
{
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _byName = new();
    private readonly Dictionary<int, SemaphoreSlim> _byNumber = new() { [1] = new(1, 1), [2] = new(1, 1) };
    private readonly TaskCompletionSource _both = new();
    private int _worked, _ready;

    /// <summary>In locals.</summary>
    public static void StartPair(int count)
    {
        var all = new Keyed();
        Start(all, all.MoveAsync("a", "b"), all.MoveAsync("b", "a"));
    }

    /// <summary>The dictionary is asked again by who releases.</summary>
    public static void StartAgain(int count)
    {
        var all = new Keyed();
        Start(all, all.MoveAgainAsync("a", "b"), all.MoveAgainAsync("b", "a"));
    }

    /// <summary>By numbers, without any variable.</summary>
    public static void StartNumbers(int count)
    {
        var all = new Keyed();
        Start(all, all.MoveNumberAsync(1, 2), all.MoveNumberAsync(2, 1));
    }

    /// <summary>A releaser that knows its key.</summary>
    public static void StartHandle(int count)
    {
        var all = new Keyed();
        Start(all, all.MoveHandleAsync("a", "b"), all.MoveHandleAsync("b", "a"));
    }

    /// <summary>Keys in a loop.</summary>
    public static void StartLoop(int count)
    {
        var all = new Keyed();
        Start(all, all.MoveAllAsync(["c", "a"], "b"), all.MoveAllAsync(["d", "b"], "a"));
    }

    /// <summary>An exception behind the acquisition has kept the permit.</summary>
    public static void StartLost(int count)
    {
        var all = new Keyed();
        Start(all, all.FailAsync("a"), all.HoldAsync("b"), all.SaveAsync("a"));
    }

    /// <summary>Not a deadlock: all take them in the same order, and one of them takes long.</summary>
    public static void StartOrdered(int count)
    {
        var all = new Keyed();
        Start(all, all.HoldAsync("b"), all.MoveAsync("a", "b"), all.MoveAsync("a", "b"), all.MoveAgainAsync("a", "b"), all.MoveHandleAsync("a", "b"), all.MoveAllAsync(["x", "a"], "b"));
    }

    /// <summary>Not a deadlock: others have other keys.</summary>
    public static void StartOthers(int count)
    {
        var all = new Keyed();
        Start(all, all.HoldAsync("b"), all.HoldAsync("d"), all.MoveAsync("a", "b"), all.MoveAgainAsync("c", "d"), all.MoveHandleAsync("c", "b"), all.HoldAsync("c"));
    }

    private static void Start(Keyed all, params Task[] tasks)
    {
        Marks.Keep(all);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Together.Meet();
        Thread.Sleep(500);
    }

    private async Task MoveAsync(string from, string to)
    {
        SemaphoreSlim first = _byName.GetOrAdd(from, _ => new(1, 1));
        await first.WaitAsync();
        try
        {
            await Together.Met;
            SemaphoreSlim second = _byName.GetOrAdd(to, _ => new(1, 1));
            await second.WaitAsync();
            try
            {
                _worked++;
            }
            finally
            {
                second.Release();
            }
        }
        finally
        {
            first.Release();
        }
    }

    private SemaphoreSlim Gate(string key) => _byName.GetOrAdd(key, static _ => new SemaphoreSlim(1, 1));

    private async Task MoveAgainAsync(string from, string to)
    {
        await Gate(from).WaitAsync();
        try
        {
            await Together.Met;
            await Gate(to).WaitAsync();
            try
            {
                _worked++;
            }
            finally
            {
                Gate(to).Release();
            }
        }
        finally
        {
            Gate(from).Release();
        }
    }

    private async Task MoveNumberAsync(int from, int to)
    {
        await _byNumber[from].WaitAsync();
        await Together.Met;
        await _byNumber[to].WaitAsync();
        _worked++;
        _byNumber[to].Release();
        _byNumber[from].Release();
    }

    private async Task MoveHandleAsync(string from, string to)
    {
        using (await LockAsync(from))
        {
            await Together.Met;
            using (await LockAsync(to))
                _worked++;
        }
    }

    private async Task<IDisposable> LockAsync(string key)
    {
        await Gate(key).WaitAsync();
        return new Handle(this, key);
    }

    private async Task MoveAllAsync(string[] keys, string last)
    {
        foreach (string key in keys)
        {
            SemaphoreSlim? gate;
            lock (_byName)
            {
                if (!_byName.TryGetValue(key, out gate))
                    _byName[key] = gate = new SemaphoreSlim(1, 1);
            }
            await gate.WaitAsync();
            try
            {
                if (key != keys[0])
                {
                    // Both have theirs.
                    if (Interlocked.Increment(ref _ready) == 2)
                        _both.SetResult();
                    await Task.WhenAny(_both.Task, Task.Delay(200));
                    await SaveAsync(last);
                }
            }
            finally
            {
                gate.Release();
            }
        }
    }

    private async Task SaveAsync(string key)
    {
        SemaphoreSlim gate = Gate(key);
        await gate.WaitAsync();
        try
        {
            _worked++;
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task HoldAsync(string key)
    {
        SemaphoreSlim gate = Gate(key);
        await gate.WaitAsync();
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task FailAsync(string key)
    {
        await Gate(key).WaitAsync();
        if (_worked == 0)
            throw new InvalidOperationException(key);
        Gate(key).Release();
    }

    private sealed class Handle(Keyed owner, string key) : IDisposable
    {
        public void Dispose() => owner.Gate(key).Release();
    }
}
