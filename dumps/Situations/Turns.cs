namespace Situations;

/// <summary>A lock that is entered by a method of what is disposed of afterwards: a turn. One method, inside its turn, calls another that takes one; in the twin it does so before.</summary>
#pragma warning disable CA1001 // It lives as long as the process.
public sealed class Turns
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly bool _isInside;

    private Turns(bool isInside) => _isInside = isInside;

    public static void StartInside(int count) => Start(isInside: true);

    public static void StartBefore(int count) => Start(isInside: false);

    // One books, the others wait for their turn.
    private static void Start(bool isInside)
    {
        var turns = new Turns(isInside);
        Marks.Keep(turns);
        for (int i = 0; i < 3; i++)
            Marks.Keep(turns.BookAsync(i));
        Thread.Sleep(500);
    }

    private Turn Begin() => new(_gate);

    private async Task BookAsync(int amount)
    {
        if (!_isInside)
            await AuditAsync();
        using Turn turn = Begin();
        await turn.EnterAsync();
        await Task.Delay(3);
        if (_isInside)
            await AuditAsync();
        await Task.Delay(TimeSpan.FromHours(1 + amount));
    }

    private async Task AuditAsync()
    {
        using Turn turn = Begin();
        await turn.EnterAsync();
        await Task.Delay(1);
    }

    private sealed class Turn(SemaphoreSlim gate) : IDisposable
    {
        public async Task EnterAsync() => await gate.WaitAsync();

        public void Dispose() => gate.Release();
    }
}
