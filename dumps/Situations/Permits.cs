namespace Situations;

/// <summary>A program that works: permits of semaphores go from hand to hand all the time, over awaits, threads and queues.</summary>
#pragma warning disable CA1001 // It lives as long as the process.
public sealed class Permits
#pragma warning restore CA1001
{
    private readonly SemaphoreSlim _few = new(3, 3);
    private readonly SemaphoreSlim _one = new(1, 1);
    private readonly SemaphoreSlim _open = new(1);
    private readonly SemaphoreSlim _signal = new(0, 1000);
    private readonly SemaphoreSlim _blocking = new(1, 1);
    private readonly ManualResetEventSlim _turn = new();
    private readonly AsyncGate _gate = new();
    private int _worked;

    public static void Start(int count)
    {
        var all = new Permits();
        for (int i = 0; i < 20; i++)
        {
            Marks.Keep(all.FewAsync());
            Marks.Keep(all.OneAsync());
            Marks.Keep(all.OpenAsync());
            Marks.Keep(all.GateAsync());
            Marks.Keep(all.TakeSignalAsync());
        }
        Marks.Keep(all.SignalAsync());
        for (int i = 0; i < 4; i++)
            new Thread(all.Block) { IsBackground = true }.Start();
        Thread.Sleep(300);
    }

    private async Task FewAsync()
    {
        while (true)
        {
            await _few.WaitAsync();
            try
            {
                await Task.Delay(1);
            }
            finally
            {
                _few.Release();
            }
        }
    }

    // Never suspended while it holds it.
    private async Task OneAsync()
    {
        while (true)
        {
            await _one.WaitAsync();
            try
            {
                Thread.SpinWait(20_000);
                _worked++;
            }
            finally
            {
                _one.Release();
            }
            await Task.Yield();
        }
    }

    private async Task OpenAsync()
    {
        while (true)
        {
            await _open.WaitAsync();
            try
            {
                await Task.Yield();
                Thread.SpinWait(2_000);
            }
            finally
            {
                _open.Release();
            }
        }
    }

    private async Task GateAsync()
    {
        while (true)
        {
            using (await _gate.EnterAsync())
                await Task.Yield();
        }
    }

    private void Block()
    {
        while (true)
        {
            _blocking.Wait();
            try
            {
                _turn.Set();
                Thread.SpinWait(2_000);
            }
            finally
            {
                _blocking.Release();
            }
            _turn.Wait(1);
            _turn.Reset();
        }
    }

    private async Task TakeSignalAsync()
    {
        while (true)
        {
            await _signal.WaitAsync();
            _worked++;
        }
    }

    private async Task SignalAsync()
    {
        while (true)
        {
            await Task.Delay(1);
            _signal.Release();
        }
    }
}
