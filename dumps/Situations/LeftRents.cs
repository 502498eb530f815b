using System.Collections.Concurrent;

namespace Situations;

/// <summary>
/// Somebody waits no longer for a rent, after a timeout, and the rent goes on: the drive goes to it, and nobody gives it back. The twin looks the same while two
/// jobs are at work, which give theirs back.
/// </summary>
#pragma warning disable CA1001 // It lives as long as the process.
public sealed class LeftRents
{
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(50), Long = TimeSpan.FromMinutes(30);
    private readonly SemaphoreSlim _available = new(2, 2);
    private readonly ConcurrentStack<object> _idle = new([new(), new()]);
    private int _worked;

    public static void StartLost(int count) => Start(TimeSpan.FromMilliseconds(500), Task.WhenAll);

    public static void StartHeld(int count) => Start(Long, _ => Task.CompletedTask);

    // Until the jobs have given back what they had.
    private static void Start(TimeSpan work, Func<Task[], Task> until)
    {
        var rents = new LeftRents();
        Marks.Keep(rents);
        Task[] jobs = [rents.WorkAsync(work), rents.WorkAsync(work)];
        Marks.Keep(rents.RunAsync(work));
        until(jobs).Wait();
        Thread.Sleep(400);
    }

    private async Task RunAsync(TimeSpan work)
    {
        for (int i = 0; i < 4; i++)
            await TryAsync();
        await WorkAsync(work);
    }

    private async Task TryAsync()
    {
        object drive;
        try
        {
            drive = await RentAsync().WaitAsync(Patience);
        }
        catch (TimeoutException)
        {
            return;
        }
        try
        {
            await Task.Yield();
            _worked++;
        }
        finally
        {
            Return(drive);
        }
    }

    private async Task WorkAsync(TimeSpan work)
    {
        object drive = await RentAsync();
        try
        {
            await Task.Delay(work);
            _worked++;
        }
        finally
        {
            Return(drive);
        }
    }

    private async Task<object> RentAsync()
    {
        await _available.WaitAsync();
        return _idle.TryPop(out object? drive) ? drive : throw new InvalidOperationException("no drive");
    }

    private void Return(object drive)
    {
        _idle.Push(drive);
        _available.Release();
    }
}
