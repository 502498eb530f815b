using System.Collections.Concurrent;

namespace Situations;

#pragma warning disable CA1001, CA1034, CA1063, CA1816, CA1822, CA1852, CA2000, CA1815, CA2213 // Shapes of code, not a library.

/// <summary>An async lock as services get it.</summary>
public interface ILocker
{
    public Task<IDisposable> LockAsync();
}

/// <summary>Locks of other kinds.</summary>
public sealed partial class HolderMore
{
    private sealed class Locker(string name) : ILocker
    {
        public SemaphoreSlim Gate { get; } = new SemaphoreSlim(1, 1).Named(name);

        public async Task<IDisposable> LockAsync()
        {
            await Gate.WaitAsync();
            return new Release(Gate);
        }

        private sealed class Release(SemaphoreSlim gate) : IDisposable
        {
            public void Dispose() => gate.Release();
        }
    }

    private sealed class NoLocker : ILocker
    {
        public Task<IDisposable> LockAsync() => Task.FromResult<IDisposable>(new MemoryStream());
    }

    private abstract class GateBase(string name)
    {
        public SemaphoreSlim Gate { get; } = new SemaphoreSlim(1, 1).Named(name);

        public abstract Task EnterAsync();

        public abstract void Leave();
    }

    private sealed class RealGate(string name) : GateBase(name)
    {
        public override async Task EnterAsync() => await Gate.WaitAsync();

        public override void Leave() => Gate.Release();
    }

    private sealed class FreeGate(string name) : GateBase(name)
    {
        public override Task EnterAsync() => Task.CompletedTask;

        public override void Leave() => GC.KeepAlive(this);
    }

    /// <summary>Its task is made once; where it has to wait, a continuation makes the releaser.</summary>
    private sealed class CachedLock
    {
        private readonly Task<Releaser> _releaser;

        public CachedLock(string name)
        {
            Gate = new SemaphoreSlim(1, 1).Named(name);
            _releaser = Task.FromResult(new Releaser(this));
        }

        public SemaphoreSlim Gate { get; }

        public Task<Releaser> LockAsync()
        {
            Task wait = Gate.WaitAsync();
            return wait.IsCompleted ? _releaser
                : wait.ContinueWith(static (_, state) => new Releaser((CachedLock)state!), this, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }

        public readonly struct Releaser(CachedLock owner) : IDisposable
        {
            public void Dispose() => owner?.Gate.Release();
        }
    }

    /// <summary>One semaphore for each key.</summary>
    private sealed class KeyedLocker<TKey>
        where TKey : notnull
    {
        private readonly ConcurrentDictionary<TKey, SemaphoreSlim> _gates = new();

        public SemaphoreSlim Of(TKey key) => _gates.GetOrAdd(key, static _ => new SemaphoreSlim(1, 1).Named("Locker"));

        public async ValueTask<Handle> EnterAsync(TKey key)
        {
            SemaphoreSlim gate = Of(key);
            await gate.WaitAsync().ConfigureAwait(false);
            return new Handle(gate);
        }

        public sealed class Handle(SemaphoreSlim gate) : IAsyncDisposable
        {
            public ValueTask DisposeAsync()
            {
                gate.Release();
                return ValueTask.CompletedTask;
            }
        }
    }

    private sealed class OneTime(SemaphoreSlim gate) : IDisposable
    {
        private bool _has;

        public async Task EnterAsync()
        {
            await gate.WaitAsync();
            _has = true;
        }

        public void Dispose()
        {
            if (!_has)
                return;
            _has = false;
            gate.Release();
        }
    }
}
