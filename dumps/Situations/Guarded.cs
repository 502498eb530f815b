namespace Situations;

/// <summary>A cache whose lock is not re-entrant, and whom nobody knows any more but those who wait for it: the others hang on the one that waits for itself.</summary>
public sealed class Guarded
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private int _loaded;

    public static void Start(int count)
    {
        var cache = new Guarded();
        for (int i = 0; i < 4; i++)
            Marks.Keep(cache.ReadAsync(i));
        Thread.Sleep(300);
    }

    private async Task<int> ReadAsync(int key)
    {
        await _gate.WaitAsync();
        try
        {
            return await LoadAsync(key) + 1;
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task<int> LoadAsync(int key)
    {
        await Task.Delay(10);
        _loaded++;
        return await ReadAsync(key + 1) + 1;
    }
}
