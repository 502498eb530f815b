using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// Holders behind interfaces, virtual methods, keys, iterators and releasers, as libraries write them; written before the search for holders was looked at
/// again. <c>held</c> marks must be found, <c>missed</c> ones are known not to be; what is neither is held by nobody.
/// </summary>
#pragma warning disable CA1001, CA2000, CA1822, CA1859 // It lives as long as the process, and types are what this is about.
public sealed partial class HolderMore
{
    private readonly TaskCompletionSource _never = new();
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _byKey = new();
    private readonly Dictionary<int, SemaphoreSlim> _byNumber = [];
    private readonly ILocker _locker = new Locker("Interface");
    private readonly ILocker _nothing = new NoLocker();
    private readonly GateBase _gate = new RealGate("Virtual");
    private readonly GateBase _free = new FreeGate("Free");
    private readonly CachedLock _cached = new("Cached");
    private readonly KeyedLocker<string> _keyed = new();
    private readonly SemaphoreSlim _yielded = new SemaphoreSlim(1, 1).Named("Yielded");
    private readonly SemaphoreSlim _streamed = new SemaphoreSlim(1, 1).Named("Streamed");
    private readonly SemaphoreSlim _gaveBack = new SemaphoreSlim(1, 1).Named("GaveBack");
    private readonly SemaphoreSlim _oneTime = new SemaphoreSlim(1, 1).Named("OneTime");
    private int _worked;

    public static void Start(int count)
    {
        var all = new HolderMore();
        Marks.Keep(all);
        all._byNumber[7] = new SemaphoreSlim(1, 1).Named("Number");
        foreach (Task holder in (Task[])[all.InterfaceAsync(), all.NothingAsync(), all.VirtualAsync(), all.FreeAsync(), all.CachedAsync(), all.KeyedAsync("a"), all.KeyedAsync("b"), all.NumberAsync(7),
            all.LockerAsync("x"), all.ConsumeYieldedAsync(), all.ConsumeStreamedAsync(), all.ConsumeGaveBackAsync(), all.OneTimeAsync()])
            Marks.Keep(holder);
        Thread.Sleep(300);
        foreach (SemaphoreSlim semaphore in (SemaphoreSlim[])[((Locker)all._locker).Gate, all._gate.Gate, all._cached.Gate, all._byKey["a"], all._byKey["b"], all._byNumber[7], all._keyed.Of("x"),
            all._yielded, all._streamed])
            Marks.Keep(WaitAsync(semaphore));
        // These are free, until somebody else has them.
        foreach (SemaphoreSlim semaphore in (SemaphoreSlim[])[all._free.Gate, all._gaveBack, all._oneTime])
        {
            Marks.Keep(all.HoldAsync(semaphore));
            Marks.Keep(WaitAsync(semaphore));
        }
        Thread.Sleep(300);
    }

    private static async Task<int> WaitAsync(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync();
        try
        {
            return semaphore.CurrentCount;
        }
        finally
        {
            semaphore.Release();
        }
    }

    private async Task HoldAsync(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync();
        try
        {
            await Work().At("held:Free,GaveBack");
        }
        finally
        {
            semaphore.Release();
        }
    }

    private Task Work() => _never.Task;

    private async Task InterfaceAsync()
    {
        using (await _locker.LockAsync())
            await Work().At("held:Interface");
    }

    // What it has locked is nothing.
    private async Task NothingAsync()
    {
        using (await _nothing.LockAsync())
            await Work();
    }

    private async Task VirtualAsync()
    {
        await _gate.EnterAsync();
        try
        {
            await Work().At("held:Virtual");
        }
        finally
        {
            _gate.Leave();
        }
    }

    // Its gate does nothing.
    private async Task FreeAsync()
    {
        await _free.EnterAsync();
        try
        {
            await Work();
        }
        finally
        {
            _free.Leave();
        }
    }

    private async Task CachedAsync()
    {
        using CachedLock.Releaser releaser = await _cached.LockAsync();
        await Work().At("perhaps:Cached");
        _worked++;
    }

    private async Task KeyedAsync(string key)
    {
        SemaphoreSlim gate = _byKey.GetOrAdd(key, static name => new SemaphoreSlim(1, 1).Named("Key-" + name));
        await gate.WaitAsync();
        try
        {
            await Work().At("held:Key-a,Key-b");
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task NumberAsync(int number)
    {
        if (!_byNumber.TryGetValue(number, out SemaphoreSlim? gate))
            return;
        await gate.WaitAsync();
        try
        {
            await Work().At("held:Number");
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task LockerAsync(string key)
    {
        await using KeyedLocker<string>.Handle handle = await _keyed.EnterAsync(key);
        await Work().At("held:Locker");
        _worked++;
    }

    private async Task ConsumeYieldedAsync()
    {
        await foreach (int item in YieldAsync())
        {
            _worked += item;
            await Work().At("held:Yielded");
        }
    }

    // Holds it between two elements, while the consumer does something else: it is the consumer who keeps it from going on.
    private async IAsyncEnumerable<int> YieldAsync()
    {
        await _yielded.WaitAsync();
        try
        {
            await Task.Yield();
            yield return 1;
            yield return 2;
        }
        finally
        {
            _yielded.Release();
        }
    }

    private async Task ConsumeStreamedAsync()
    {
        await foreach (int item in StreamAsync())
            _worked += item;
    }

    // Holds it while it waits itself.
    private async IAsyncEnumerable<int> StreamAsync([EnumeratorCancellation] CancellationToken token = default)
    {
        yield return 1;
        await _streamed.WaitAsync(token);
        try
        {
            await Work().At("held:Streamed");
            yield return 2;
        }
        finally
        {
            _streamed.Release();
        }
    }

    private async Task ConsumeGaveBackAsync()
    {
        await foreach (int item in GiveBackAsync())
        {
            _worked += item;
            await Work();
        }
    }

    // Takes it for each element, and has given it back when it yields.
    private async IAsyncEnumerable<int> GiveBackAsync()
    {
        for (int i = 0; i < 3; i++)
        {
            await _gaveBack.WaitAsync();
            try
            {
                await Task.Yield();
            }
            finally
            {
                _gaveBack.Release();
            }
            yield return i;
        }
    }

    // Disposed twice, which releases it once: code alone does not show that it has been given back, so that two seem to hold it (missed:OneTime).
    private async Task OneTimeAsync()
    {
        using var releaser = new OneTime(_oneTime);
        await releaser.EnterAsync();
        await Task.Yield();
        releaser.Dispose();
        await Work();
        _worked++;
    }
}
