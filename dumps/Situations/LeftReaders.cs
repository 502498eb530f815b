namespace Situations;

/// <summary>Iterators that take a permit and read from a file until they are disposed of. Who waits for a permit has no file yet, which is disposed of as the permit is.</summary>
public sealed class LeftReaders
{
    private readonly SemaphoreSlim _permits = new(2, 2);
    private int _read;

    /// <summary>Two iterators were never disposed of.</summary>
    public static void StartLost(int count)
    {
        var all = new LeftReaders();
        Start(all, all.PeekAllAsync());
        // On a busy machine it takes its time to come to the one that waits.
        SpinWait.SpinUntil(() => Volatile.Read(ref all._read) == 2, TimeSpan.FromSeconds(20));
        Thread.Sleep(500);
    }

    /// <summary>Not stuck: who reads takes long over each line.</summary>
    public static void StartSlow(int count)
    {
        var all = new LeftReaders();
        Start(all, [.. Enumerable.Range(0, 3).Select(_ => all.ReadAsync())]);
    }

    private static void Start(LeftReaders all, params Task[] tasks)
    {
        Marks.Keep(all);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(500);
    }

    private async IAsyncEnumerable<string> LinesAsync()
    {
        await _permits.WaitAsync();
        try
        {
            using var reader = new StreamReader(await OpenAsync());
            while (await reader.ReadLineAsync() is { } line)
                yield return line;
        }
        finally
        {
            _permits.Release();
        }
    }

    private static async Task<Stream> OpenAsync()
    {
        await Task.Delay(5);
        return new MemoryStream("a\nb\nc\n"u8.ToArray());
    }

    private async Task PeekAllAsync()
    {
        for (int i = 0; i < 10; i++)
        {
            if (await PeekAsync())
                _read++;
        }
    }

    private async Task<bool> PeekAsync() => await LinesAsync().GetAsyncEnumerator().MoveNextAsync();

    private async Task ReadAsync()
    {
        await foreach (string _ in LinesAsync())
            await Task.Delay(TimeSpan.FromHours(1));
    }
}
