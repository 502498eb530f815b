namespace Situations;

/// <summary>Locks behind interfaces, base classes and structs, of which only the objects say which method runs. Each deadlock has a twin that is none.</summary>
#pragma warning disable CA1001, CA2000, CA1859, CA1815, CA1034, CA1822, IDE0290 // They live as long as the process, and types are what this is about.
public static class Lockers
{
    private static readonly ValueLock Inner = new(1), Outer = new(1);
    private static int _worked;

    /// <summary>An interface with two implementations, which returns what releases.</summary>
    public static void StartPair(int count)
    {
        var names = new NameLocker();
        var service = new Service(names, names);
        Start(service, service.MoveAsync("a", "b"), service.MoveAsync("b", "a"));
    }

    /// <summary>Virtual methods with two bodies each.</summary>
    public static void StartVirtual(int count)
    {
        Entrance a = new RealEntrance(), b = new RealEntrance();
        Start(a, CrossAsync(a, b), CrossAsync(b, a));
    }

    /// <summary>Virtual methods of a field.</summary>
    public static void StartOwned(int count)
    {
        var a = new Room(new RealEntrance());
        var b = new Room(new RealEntrance());
        Start(a, a.VisitAsync(b), b.VisitAsync(a));
    }

    /// <summary>Locks that are structs in static fields; what releases is a struct, too.</summary>
    public static void StartStruct(int count) => Start(Inner, NestAsync(), UnnestAsync());

    /// <summary>Not a deadlock: one of them has locked nothing.</summary>
    public static void StartNone(int count)
    {
        var names = new NameLocker();
        var half = new Service(new NoLocker(), names);
        Start(names, names.HoldAsync("b"), half.MoveAsync("b", "a"), half.MoveAsync("a", "b"), new Service(names, names).MoveAsync("a", "b"));
    }

    /// <summary>Not a deadlock: the entrance of one of them is open.</summary>
    public static void StartOpen(int count)
    {
        Entrance a = new OpenEntrance(), b = new RealEntrance(), c = new OpenEntrance();
        Start(a, HoldAsync(b), CrossAsync(a, b), CrossAsync(c, b), CrossAsync(b, a));
    }

    /// <summary>Not a deadlock: one who takes long has what all wait for.</summary>
    public static void StartOrdered(int count)
    {
        var names = new NameLocker();
        var service = new Service(names, names);
        Start(service, names.HoldAsync("b"), service.MoveAsync("a", "b"), service.MoveAsync("a", "b"), StayAsync(), NestAsync());
    }

    private static void Start(object kept, params Task[] tasks)
    {
        Marks.Keep(kept);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Together.Meet();
        Thread.Sleep(500);
    }

    private static async Task CrossAsync(Entrance from, Entrance to)
    {
        await from.EnterAsync();
        try
        {
            await Together.Met;
            await to.EnterAsync();
            _worked++;
            to.Leave();
        }
        finally
        {
            from.Leave();
        }
    }

    private static async Task HoldAsync(Entrance entrance)
    {
        await entrance.EnterAsync();
        await Task.Delay(TimeSpan.FromHours(1));
        entrance.Leave();
    }

    private static async Task NestAsync()
    {
        using (await Outer.EnterAsync())
        {
            await Together.Met;
            using (await Inner.EnterAsync())
                await Task.Yield();
        }
    }

    private static async Task UnnestAsync()
    {
        using (await Inner.EnterAsync())
        {
            await Together.Met;
            using (await Outer.EnterAsync())
                await Task.Yield();
        }
    }

    private static async Task StayAsync()
    {
        using (await Inner.EnterAsync())
            await Task.Delay(TimeSpan.FromHours(1));
    }

    private interface ILocker
    {
        public Task<IAsyncDisposable> AcquireAsync(string key);
    }

    private sealed class NameLocker : ILocker
    {
        private readonly Dictionary<string, SemaphoreSlim> _locks = new() { ["a"] = new(1, 1), ["b"] = new(1, 1) };

        public async Task<IAsyncDisposable> AcquireAsync(string key)
        {
            SemaphoreSlim gate = _locks[key];
            await gate.WaitAsync();
            return new Handle(gate);
        }

        public async Task HoldAsync(string key)
        {
            await using IAsyncDisposable held = await AcquireAsync(key);
            await Task.Delay(TimeSpan.FromHours(1));
        }

        private sealed class Handle(SemaphoreSlim gate) : IAsyncDisposable
        {
            public ValueTask DisposeAsync()
            {
                gate.Release();
                return default;
            }
        }
    }

    private sealed class NoLocker : ILocker
    {
        public Task<IAsyncDisposable> AcquireAsync(string key) => Task.FromResult<IAsyncDisposable>(new Nothing());

        private sealed class Nothing : IAsyncDisposable
        {
            public ValueTask DisposeAsync() => default;
        }
    }

    private sealed class Service(ILocker first, ILocker second)
    {
        public async Task MoveAsync(string from, string to)
        {
            await using IAsyncDisposable a = await first.AcquireAsync(from);
            await Together.Met;
            await using IAsyncDisposable b = await second.AcquireAsync(to);
            await Task.Delay(1);
        }
    }

    private abstract class Entrance
    {
        public abstract Task EnterAsync();

        public abstract void Leave();
    }

    private sealed class RealEntrance : Entrance
    {
        private readonly SemaphoreSlim _gate = new(1, 1);

        public override Task EnterAsync() => _gate.WaitAsync();

        public override void Leave() => _gate.Release();
    }

    private sealed class OpenEntrance : Entrance
    {
        public override Task EnterAsync() => Task.CompletedTask;

        public override void Leave() => _worked++;
    }

    private sealed class Room(Entrance entrance)
    {
        private readonly Entrance _entrance = entrance;

        public async Task VisitAsync(Room other)
        {
            await _entrance.EnterAsync();
            try
            {
                await Together.Met;
                await other.VisitAsync(this);
            }
            finally
            {
                _entrance.Leave();
            }
        }
    }

    private readonly struct ValueLock
    {
        private readonly SemaphoreSlim _gate;

        public ValueLock(int count) => _gate = new SemaphoreSlim(count, count);

        public async ValueTask<Releaser> EnterAsync(CancellationToken token = default)
        {
            await _gate.WaitAsync(token).ConfigureAwait(false);
            return new Releaser(_gate);
        }

        public readonly struct Releaser(SemaphoreSlim gate) : IDisposable
        {
            public void Dispose() => gate.Release();
        }
    }
}
