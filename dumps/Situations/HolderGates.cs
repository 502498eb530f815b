using System.Collections.Concurrent;

namespace Situations;

#pragma warning disable CA1001, CA1815, CA1034 // Shapes of code, not a library.

/// <summary>Names of semaphores, for the truth of <see cref="Holders"/>: a dictionary in the process, by the object.</summary>
public static class Gates
{
    private static readonly ConcurrentBag<NamedGate> Known = [];

    public static SemaphoreSlim Named(this SemaphoreSlim semaphore, string name)
    {
        Known.Add(new NamedGate(name, semaphore));
        return semaphore;
    }

    public static async Task EnterGateAsync(this SemaphoreSlim semaphore) => await semaphore.WaitAsync();

    public static void LeaveGate(this SemaphoreSlim semaphore) => semaphore.Release();
}

/// <summary>A semaphore by its name.</summary>
public sealed record NamedGate(string Name, SemaphoreSlim Gate);

/// <summary>An async lock whose releaser is an object.</summary>
public sealed class AsyncGate
{
    public SemaphoreSlim Semaphore { get; } = new(1, 1);

    public async Task<IDisposable> EnterAsync()
    {
        await Semaphore.WaitAsync();
        return new Releaser(this);
    }

    private sealed class Releaser(AsyncGate gate) : IDisposable
    {
        public void Dispose() => gate.Semaphore.Release();
    }
}

/// <summary>An async lock whose releaser is a struct.</summary>
public sealed class StructGate
{
    public SemaphoreSlim Semaphore { get; } = new(1, 1);

    public async ValueTask<Releaser> EnterAsync()
    {
        await Semaphore.WaitAsync();
        return new Releaser(Semaphore);
    }

    public readonly struct Releaser(SemaphoreSlim semaphore) : IDisposable
    {
        public void Dispose() => semaphore.Release();
    }
}

/// <summary>An async lock whose releaser calls a delegate, once.</summary>
public sealed class DelegateGate
{
    public SemaphoreSlim Semaphore { get; } = new(1, 1);

    public async Task<IDisposable> EnterAsync()
    {
        await Semaphore.WaitAsync().ConfigureAwait(false);
        return new Releaser(() => Semaphore.Release());
    }

    private sealed class Releaser(Action release) : IDisposable
    {
        private Action? _release = release;

        public void Dispose() => Interlocked.Exchange(ref _release, null)?.Invoke();
    }
}
