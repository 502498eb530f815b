namespace Situations;

/// <summary>A permit that an exception has kept, while another method waits that disposes of a registration with a token, and of an enumerator: neither of these gives anything back.</summary>
#pragma warning disable CA1001 // They live as long as the process.
public sealed class Watched
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly CancellationTokenSource _end = new();
    private int _ended;

    public static void Start(int count)
    {
        var all = new Watched();
        Marks.Keep(all);
        Marks.Keep(all.WatchAsync([1, 2]));
        Marks.Keep(all.TrySaveAsync());
        Marks.Keep(all.SaveAsync(fails: false));
        Thread.Sleep(300);
    }

    private async Task TrySaveAsync()
    {
        try
        {
            await SaveAsync(fails: true);
        }
        catch (InvalidOperationException)
        {
        }
    }

    private async Task SaveAsync(bool fails)
    {
        await _gate.WaitAsync();
        if (fails)
            throw new InvalidOperationException("no disk");
        _gate.Release();
    }

    private async Task WatchAsync(List<int> hours)
    {
        using CancellationTokenRegistration registration = _end.Token.Register(() => _ended++);
        foreach (int hour in hours)
            await Task.Delay(TimeSpan.FromHours(hour));
    }
}
