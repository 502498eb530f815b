using System.Collections.Concurrent;

namespace Situations;

/// <summary>
/// Shapes that were written when the inference of holders was finished: <c>held</c> marks are found, <c>missed</c> ones are known not to be. What is neither is
/// held by nobody.
/// </summary>
#pragma warning disable CA1001, CA2000, CA1822, CA2012 // It lives as long as the process.
public sealed partial class HolderOdd
#pragma warning restore CA1001
{
    private readonly TaskCompletionSource _never = new();
    private readonly SemaphoreSlim _pair = new SemaphoreSlim(2, 2).Named("Pair");
    private readonly SemaphoreSlim _valueTask = new SemaphoreSlim(1, 1).Named("ValueTask");
    private readonly SemaphoreSlim _generic = new SemaphoreSlim(1, 1).Named("Generic");
    private readonly SemaphoreSlim _local = new SemaphoreSlim(1, 1).Named("LocalFunction");
    private readonly SemaphoreSlim _cancelled = new SemaphoreSlim(1, 1).Named("Cancelled");
    private readonly SemaphoreSlim _switched = new SemaphoreSlim(1, 1).Named("Switched");
    private readonly SemaphoreSlim _nestedLoop = new SemaphoreSlim(1, 1).Named("NestedLoop");
    private readonly SemaphoreSlim _each = new SemaphoreSlim(1, 1).Named("Each");
    private readonly SemaphoreSlim _parts = new SemaphoreSlim(1, 1).Named("Parts");
    private readonly SemaphoreSlim _given = new SemaphoreSlim(1, 1).Named("Given");
    private readonly SemaphoreSlim _configured = new SemaphoreSlim(1, 1).Named("Configured");
    private readonly SemaphoreSlim _virtual = new SemaphoreSlim(1, 1).Named("Virtual");
    private readonly SemaphoreSlim _keyed = new SemaphoreSlim(1, 1).Named("Keyed");
    private readonly SemaphoreSlim _tuple = new SemaphoreSlim(1, 1).Named("Tuple");
    private readonly SemaphoreSlim _continued = new SemaphoreSlim(1, 1).Named("Continued");
    private readonly SemaphoreSlim _iterated = new SemaphoreSlim(1, 1).Named("Iterated");
    private readonly SemaphoreSlim _thread = new SemaphoreSlim(1, 1).Named("Thread");
    private readonly SemaphoreSlim _disposable = new SemaphoreSlim(1, 1).Named("AwaitUsing");
    private readonly SemaphoreSlim _innocent = new SemaphoreSlim(1, 1).Named("Innocent");
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _byKey = new();
    private int _worked;

    public static void Start(int count)
    {
        var all = new HolderOdd();
        Marks.Keep(all);
        all._byKey["key"] = all._keyed;
        foreach (Task holder in (Task[])[all.PairAsync(), all.ValueTaskAsync().AsTask(), all.GenericAsync("x"), all.LocalFunctionAsync(), all.CancelledAsync(default), all.SwitchedAsync(2),
            all.NestedLoopAsync(), all.EachAsync(), all.FirstPartAsync(), all.GivingAsync(), all.ConfiguredAsync(), all.VirtualAsync(new Base(all._virtual)), all.KeyedAsync("key"),
            all.TupleAsync((all._tuple, 1)), all.ContinuedAsync(), all.AwaitUsingAsync(), all.InnocentAsync()])
            Marks.Keep(holder);
        Marks.Keep(all.ReadAsync());
        new Thread(() => all.OnThread()) { IsBackground = true }.Start();
        Thread.Sleep(300);
        foreach (SemaphoreSlim semaphore in (SemaphoreSlim[])[all._pair, all._valueTask, all._generic, all._local, all._cancelled, all._switched, all._nestedLoop, all._each, all._parts, all._given,
            all._configured, all._virtual, all._keyed, all._tuple, all._continued, all._iterated, all._thread, all._disposable, all._innocent])
            Marks.Keep(WaitAsync(semaphore));
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

    private Task Work() => _never.Task;

    // Takes both.
    private async Task PairAsync()
    {
        await _pair.WaitAsync();
        await _pair.WaitAsync();
        try
        {
            await Work().At("held:Pair");
        }
        finally
        {
            _pair.Release(2);
        }
    }

    private async ValueTask ValueTaskAsync()
    {
        await _valueTask.WaitAsync().ConfigureAwait(false);
        try
        {
            await new ValueTask(Work()).At("held:ValueTask");
        }
        finally
        {
            _valueTask.Release();
        }
    }

    private async Task<T> GenericAsync<T>(T value)
    {
        await _generic.WaitAsync();
        try
        {
            await Work().At("held:Generic");
            return value;
        }
        finally
        {
            _generic.Release();
        }
    }

    private async Task LocalFunctionAsync()
    {
        SemaphoreSlim gate = _local;
        await EnterAsync();
        try
        {
            await Work().At("held:LocalFunction");
        }
        finally
        {
            Leave();
        }

        async Task EnterAsync() => await gate.WaitAsync();

        void Leave() => gate.Release();
    }

    private async Task CancelledAsync(CancellationToken token)
    {
        await _cancelled.WaitAsync(token).ConfigureAwait(false);
        try
        {
            await Work().WaitAsync(token).At("held:Cancelled");
        }
        catch (OperationCanceledException)
        {
            _worked++;
        }
        finally
        {
            _cancelled.Release();
        }
    }

    private async Task SwitchedAsync(int kind)
    {
        await _switched.WaitAsync();
        try
        {
            switch (kind)
            {
                case 1:
                    _worked++;
                    break;
                case 2:
                    await Work().At("held:Switched");
                    break;
                default:
                    return;
            }
        }
        finally
        {
            _switched.Release();
        }
    }

    private async Task NestedLoopAsync()
    {
        foreach (int i in (int[])[1, 2, 3])
        {
            if (await _nestedLoop.WaitAsync(100))
            {
                try
                {
                    for (int j = 0; j < i; j++)
                        await Work().At("held:NestedLoop");
                }
                finally
                {
                    _nestedLoop.Release();
                }
            }
        }
    }

    private async Task EachAsync()
    {
        await _each.WaitAsync();
        try
        {
            await foreach (int item in NumbersAsync().At("held:Each"))
                _worked += item;
        }
        finally
        {
            _each.Release();
        }
    }

    private async IAsyncEnumerable<int> NumbersAsync()
    {
        yield return 1;
        await Work();
        yield return 2;
    }

    // Acquired in one method, released in the next.
    private async Task FirstPartAsync()
    {
        await _parts.WaitAsync();
        try
        {
            await SecondPartAsync().At("held:Parts");
        }
        catch
        {
            _worked++;
            throw;
        }
        finally
        {
            _parts.Release();
        }
    }

    private async Task SecondPartAsync()
    {
        await Work();
        _worked++;
    }

    // Nobody awaits the one that releases it.
    private async Task GivingAsync()
    {
        await _given.WaitAsync();
        Marks.Keep(ReturnLaterAsync(_given));
        await Work();
        _worked++;
    }

    private async Task ReturnLaterAsync(SemaphoreSlim gate)
    {
        await Work().At("held:Given");
        gate.Release();
    }

    private async Task ConfiguredAsync()
    {
        Task entered = _configured.WaitAsync();
        await entered.ConfigureAwait(false);
        try
        {
            await Work().ConfigureAwait(false).At("held:Configured");
        }
        finally
        {
            _configured.Release();
        }
    }
}
