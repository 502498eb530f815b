namespace Situations;

/// <summary>
/// Who holds semaphores: shapes of code that acquire, work and release. Each notes its own truth: the line where a holder stands is a mark,
/// and the name of its semaphore is in the mark's, <c>held:Simple</c>. Every semaphore has waiters.
/// </summary>
#pragma warning disable CA1001, CA2000 // It lives as long as the process.
public sealed partial class Holders
#pragma warning restore CA1001
{
    private static readonly SemaphoreSlim InStatic = new(1, 1);
    private static readonly SemaphoreSlim[] InArray = [new(1, 1), new(1, 1)];

    private readonly SemaphoreSlim _simple = new(1, 1);
    private readonly SemaphoreSlim _unbounded = new(1);
    private readonly SemaphoreSlim _helped = new(1, 1);
    private readonly SemaphoreSlim _inCondition = new(1, 1);
    private readonly SemaphoreSlim _timed = new(1, 1);
    private readonly SemaphoreSlim _counted = new(3, 3);
    private readonly SemaphoreSlim _outer = new(1, 1);
    private readonly SemaphoreSlim _inner = new(1, 1);
    private readonly SemaphoreSlim _twice = new(1, 1);
    private readonly SemaphoreSlim _caught = new(1, 1);
    private readonly SemaphoreSlim _looped = new(1, 1);
    private readonly SemaphoreSlim _blocking = new(1, 1);
    private readonly AsyncGate _used = new();
    private readonly StructGate _structs = new();
    private readonly DelegateGate _delegates = new();
    private readonly TaskCompletionSource _never = new();
    private int _worked;

    public static void Start(int count)
    {
        var all = new Holders();
        Marks.Keep(all);
        all.StartHolders();
        Thread.Sleep(300);
        all.StartWaiters();
        Thread.Sleep(300);
    }

    private void StartHolders()
    {
        Marks.Keep(SimpleAsync());
        Marks.Keep(UnboundedAsync());
        Marks.Keep(HelpedAsync());
        Marks.Keep(InConditionAsync(true));
        Marks.Keep(TimedAsync());
        for (int i = 0; i < 3; i++)
            Marks.Keep(CountedAsync());
        Marks.Keep(NestedAsync());
        Marks.Keep(TwiceAsync());
        Marks.Keep(CaughtAsync());
        Marks.Keep(LoopedAsync());
        Marks.Keep(BlockingAsync());
        Marks.Keep(UsedAsync());
        Marks.Keep(StructsAsync());
        Marks.Keep(DelegatesAsync());
        Marks.Keep(StaticAsync());
        Marks.Keep(ElementAsync(InArray, 1));
        var passed = new SemaphoreSlim(1, 1).Named("Passed");
        Marks.Keep(PassingAsync(passed));
        var handed = new SemaphoreSlim(1, 1).Named("Handed");
        Marks.Keep(HandingAsync(handed));
        var captured = new SemaphoreSlim(1, 1).Named("Captured");
        Marks.Keep(CapturingAsync(captured));
        var extended = new SemaphoreSlim(1, 1).Named("Extended");
        Marks.Keep(ExtendedAsync(extended));
        Marks.Keep(Wait(passed));
        Marks.Keep(Wait(handed));
        Marks.Keep(Wait(captured));
        Marks.Keep(Wait(extended));
    }

    private void StartWaiters()
    {
        foreach (SemaphoreSlim semaphore in (SemaphoreSlim[])[_simple.Named("Simple"), _unbounded.Named("Unbounded"), _helped.Named("Helped"), _inCondition.Named("InCondition"),
            _timed.Named("Timed"), _counted.Named("Counted"), _outer.Named("Outer"), _inner.Named("Inner"), _caught.Named("Caught"), _looped.Named("Looped"),
            _blocking.Named("Blocking"), _used.Semaphore.Named("Used"), _structs.Semaphore.Named("Structs"), _delegates.Semaphore.Named("Delegates"), InStatic.Named("Static"), InArray[1].Named("Element")])
            Marks.Keep(Wait(semaphore));
        _twice.Named("Twice");
        Marks.Keep(HelpedAsync());
        Marks.Keep(UsedAsync());
        Marks.Keep(StructsAsync());
        Marks.Keep(DelegatesAsync());
    }

    private static async Task<int> Wait(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync();
        semaphore.Release();
        return 1;
    }

    private Task Work() => _never.Task;

    private async Task SimpleAsync()
    {
        await _simple.WaitAsync();
        try
        {
            await Work().At("held:Simple");
        }
        finally
        {
            _simple.Release();
        }
    }

    private async Task UnboundedAsync()
    {
        await _unbounded.WaitAsync();
        try
        {
            await Work().At("held:Unbounded");
        }
        finally
        {
            _unbounded.Release();
        }
    }

    private async Task HelpedAsync()
    {
        await EnterAsync();
        try
        {
            await Work().At("held:Helped");
        }
        finally
        {
            Leave();
        }
    }

    private async Task EnterAsync()
    {
        await _helped.WaitAsync();
        _worked++;
    }

    private void Leave()
    {
        _worked--;
        _helped.Release();
    }

    private async Task InConditionAsync(bool takes)
    {
        if (takes)
            await _inCondition.WaitAsync();
        try
        {
            await Work().At("held:InCondition");
        }
        finally
        {
            if (takes)
                _inCondition.Release();
        }
    }

    private async Task TimedAsync()
    {
        if (!await _timed.WaitAsync(TimeSpan.FromSeconds(5)))
            return;
        try
        {
            await Work().At("held:Timed");
        }
        finally
        {
            _timed.Release();
        }
    }

    private async Task CountedAsync()
    {
        await _counted.WaitAsync();
        try
        {
            await Work().At("held:Counted x3");
        }
        finally
        {
            _counted.Release();
        }
    }

    private async Task NestedAsync()
    {
        await _outer.WaitAsync();
        try
        {
            await _inner.WaitAsync();
            try
            {
                await Work().At("held:Outer,Inner");
            }
            finally
            {
                _inner.Release();
            }
        }
        finally
        {
            _outer.Release();
        }
    }

    // Waits for what it has itself.
    private async Task TwiceAsync()
    {
        await _twice.WaitAsync();
        try
        {
            await AgainAsync().At("held:Twice");
        }
        finally
        {
            _twice.Release();
        }
    }

    private async Task AgainAsync()
    {
        await _twice.WaitAsync();
        try
        {
            _worked++;
        }
        finally
        {
            _twice.Release();
        }
    }

    private async Task CaughtAsync()
    {
        await _caught.WaitAsync();
        try
        {
            await Work().At("held:Caught");
            _caught.Release();
        }
        catch (InvalidOperationException)
        {
            _caught.Release();
            throw;
        }
    }

    private async Task LoopedAsync()
    {
        for (int i = 0; i < 10; i++)
        {
            await _looped.WaitAsync();
            try
            {
                if (i == 3)
                    await Work().At("held:Looped");
                await Task.Yield();
            }
            finally
            {
                _looped.Release();
            }
        }
    }

    // Taken by a thread that waits, given back behind an await.
    private async Task BlockingAsync()
    {
        _blocking.Wait();
        try
        {
            await Work().At("held:Blocking");
        }
        finally
        {
            _blocking.Release();
        }
    }
}
