namespace Situations;

#pragma warning disable CA1001, CA1822 // Shapes of code.
/// <summary>Those that code alone does not tell, and releasers of other kinds.</summary>
public sealed partial class HolderOdd
{
    private async Task VirtualAsync(Base gate)
    {
        await gate.EnterAsync();
        try
        {
            await Work().At("held:Virtual");
        }
        finally
        {
            gate.Leave();
        }
    }

    private async Task KeyedAsync(string key)
    {
        await _byKey[key].WaitAsync();
        try
        {
            await Work().At("held:Keyed");
        }
        finally
        {
            _byKey[key].Release();
        }
    }

    private async Task TupleAsync((SemaphoreSlim Gate, int Number) pair)
    {
        await pair.Gate.WaitAsync();
        try
        {
            await Work().At("perhaps:Tuple");
        }
        finally
        {
            pair.Gate.Release();
        }
    }

    // What releases it is a delegate.
#pragma warning disable CA1859 // What it returns is nobody's business.
    private Task ContinuedAsync() => _continued.WaitAsync().ContinueWith(_ => Work().ContinueWith(_ => _continued.Release(), TaskScheduler.Default), TaskScheduler.Default).Unwrap();
#pragma warning restore CA1859

    private async Task ReadAsync()
    {
        await foreach (int item in IterateAsync())
        {
            _worked += item;
            await Work().At("held:Iterated");
        }
    }

    // Holds it between two elements.
    private async IAsyncEnumerable<int> IterateAsync()
    {
        await _iterated.WaitAsync();
        try
        {
            yield return 1;
            yield return 2;
        }
        finally
        {
            _iterated.Release();
        }
    }

    private void OnThread()
    {
        lock (_byKey)
        {
            _thread.Wait();
            try
            {
                Marks.Here("held:Thread"); Thread.Sleep(Timeout.Infinite);
            }
            finally
            {
                _thread.Release();
            }
        }
    }

    private async Task AwaitUsingAsync()
    {
        await using (await AsyncReleaser.EnterAsync(_disposable))
        {
            await Work().At("held:AwaitUsing");
            _worked++;
        }
    }

    // Disposes what refers to a semaphore and does not release it.
    private async Task InnocentAsync()
    {
        using var user = new User(_innocent);
        Marks.Keep(WaitTwiceAsync());
        await Work();
        _worked++;
    }

    private async Task WaitTwiceAsync()
    {
        await _innocent.WaitAsync();
        try
        {
            await Work().At("held:Innocent");
        }
        finally
        {
            _innocent.Release();
        }
    }

#pragma warning disable CA1852 // That it might be overridden is what this is about.
    private class Base(SemaphoreSlim gate)
#pragma warning restore CA1852
    {
        public virtual Task EnterAsync() => gate.WaitAsync();

        public virtual void Leave() => gate.Release();
    }

    private sealed class User(SemaphoreSlim gate) : IDisposable
    {
        public void Dispose() => GC.KeepAlive(gate);
    }

    private sealed class AsyncReleaser(SemaphoreSlim gate) : IAsyncDisposable
    {
        public static async Task<AsyncReleaser> EnterAsync(SemaphoreSlim gate)
        {
            await gate.WaitAsync();
            return new AsyncReleaser(gate);
        }

        public ValueTask DisposeAsync()
        {
            gate.Release();
            return default;
        }
    }
}
