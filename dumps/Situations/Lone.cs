using System.Collections.Concurrent;

namespace Situations;

/// <summary>
/// One permit, one who holds it in a way that code does not show easily, and one who waits for it: it comes back when the work is done, so nothing is
/// lost. The number says in which way.
/// </summary>
#pragma warning disable CA1001, CA2000, CA1859, CA2213 // It lives as long as the process, and types are what this is about.
public sealed class Lone
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _byKey = new();
    private readonly TaskCompletionSource _never = new();
    private int _worked;

    public static void Start(int count)
    {
        var one = new Lone();
        Marks.Keep(one);
        one._byKey["key"] = one._gate;
        Func<Task>[] ways = [one.ByMethodAsync, one.ByInterfaceAsync, one.ContinuedAsync, one.YieldingAsync, one.ByKeyAsync, () => one.InTupleAsync((one._gate, 1)), one.ByActionAsync, one.CachedAsync,
            one.StreamingAsync, one.ByTimerAsync];
        Marks.Keep(ways[count]());
        Thread.Sleep(300);
        Marks.Keep(one.WaitAsync());
        Thread.Sleep(300);
    }

    private async Task<int> WaitAsync()
    {
        await _gate.WaitAsync();
        try
        {
            return _worked;
        }
        finally
        {
            _gate.Release();
        }
    }

    private Task Work() => Task.WhenAny(_never.Task, Task.Delay(TimeSpan.FromHours(1)));

    private async Task ByMethodAsync()
    {
        Entrance entrance = _worked == 0 ? new Turnstile(_gate) : new Doorway();
        await entrance.EnterAsync();
        try
        {
            await Work();
        }
        finally
        {
            entrance.Leave();
        }
    }

    private async Task ByInterfaceAsync()
    {
        IEntrance entrance = _worked == 0 ? new Turnstile(_gate) : new Doorway();
        await entrance.EnterAsync();
        await Work();
        entrance.Leave();
    }

    private Task ContinuedAsync() => _gate.WaitAsync().ContinueWith(_ => Work().ContinueWith(_ => _gate.Release(), TaskScheduler.Default), TaskScheduler.Default).Unwrap();

    private async Task YieldingAsync()
    {
        await foreach (int item in YieldAsync())
        {
            _worked += item;
            await Work();
        }
    }

    private async IAsyncEnumerable<int> YieldAsync()
    {
        await _gate.WaitAsync();
        try
        {
            await Task.Yield();
            yield return 0;
            yield return 0;
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task ByKeyAsync()
    {
        await _byKey["key"].WaitAsync();
        try
        {
            await Work();
        }
        finally
        {
            _byKey["key"].Release();
        }
    }

    private async Task InTupleAsync((SemaphoreSlim Gate, int Number) pair)
    {
        await pair.Gate.WaitAsync();
        try
        {
            await Work();
            _worked += pair.Number;
        }
        finally
        {
            pair.Gate.Release();
        }
    }

    // What gives it back is a delegate.
    private async Task ByActionAsync()
    {
        Action release = await TakeAsync();
        await Work();
        release();
    }

    private async Task<Action> TakeAsync()
    {
        await _gate.WaitAsync();
        return () => _gate.Release();
    }

    private async Task CachedAsync()
    {
        var entered = new Entered(this);
        await entered.EnterAsync();
        using (entered)
            await Work();
    }

    private async Task StreamingAsync()
    {
        await foreach (int item in StreamAsync())
            _worked += item;
    }

    private async IAsyncEnumerable<int> StreamAsync()
    {
        yield return 0;
        await _gate.WaitAsync();
        try
        {
            await Work();
            yield return 0;
        }
        finally
        {
            _gate.Release();
        }
    }

    // A callback gives it back.
    private Task ByTimerAsync()
    {
        _gate.Wait();
        Marks.Keep(new Timer(Leave, null, TimeSpan.FromHours(1), Timeout.InfiniteTimeSpan));
        return Task.CompletedTask;
    }

    private void Leave(object? state) => _gate.Release();

    private interface IEntrance
    {
        public Task EnterAsync();

        public void Leave();
    }

    private abstract class Entrance : IEntrance
    {
        public abstract Task EnterAsync();

        public abstract void Leave();
    }

    private sealed class Turnstile(SemaphoreSlim gate) : Entrance
    {
        public override Task EnterAsync() => gate.WaitAsync();

        public override void Leave() => gate.Release();
    }

    private sealed class Doorway : Entrance
    {
        public override Task EnterAsync() => Task.CompletedTask;

        public override void Leave() => GC.KeepAlive(this);
    }

    private readonly struct Entered(Lone owner) : IDisposable
    {
        public Task EnterAsync() => owner._gate.WaitAsync();

        public void Dispose() => owner._gate.Release();
    }
}
