using System.Threading.Channels;

namespace Situations;

/// <summary>
/// A sender needs credit for each message, and who reads them gives it back when one is handled; of some it does not. In the twins it takes long, or a timer gives credit, too.
/// </summary>
public sealed class Credits
{
    private readonly object _lock = new();
    private readonly Channel<int> _messages = Channel.CreateUnbounded<int>();
    private readonly TimeSpan _work;
    private TaskCompletionSource<Grant>? _granted;
    private int _credit = 3;

    private Credits(TimeSpan work) => _work = work;

    private enum Grant
    {
        Given,
    }

    public static void StartLost(int count) => new Credits(TimeSpan.FromMilliseconds(1)).Run();

    public static void StartSlow(int count) => new Credits(TimeSpan.FromHours(1)).Run();

    public static void StartRefilled(int count)
    {
        var credits = new Credits(TimeSpan.FromMilliseconds(1));
        credits.Run();
        Marks.Keep(new Timer(new Refill(credits._granted!).Tick, null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
    }

    private void Run()
    {
        Marks.Keep(this);
        Marks.Keep(SendAsync());
        Marks.Keep(ReceiveAsync());
        Thread.Sleep(500);
    }

    private async Task SendAsync()
    {
        for (int message = 0; ; message++)
        {
            await CreditAsync();
            _messages.Writer.TryWrite(message);
        }
    }

    private Task CreditAsync()
    {
        lock (_lock)
        {
            if (_credit-- > 0)
                return Task.CompletedTask;
            return (_granted = new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    private async Task ReceiveAsync()
    {
        await foreach (int message in _messages.Reader.ReadAllAsync())
        {
            await Task.Delay(_work);
            if (message % 4 == 0)
                continue;
            lock (_lock)
            {
                if (_credit++ < 0)
                    _granted!.SetResult(Grant.Given);
            }
        }
    }

    private sealed class Refill(TaskCompletionSource<Grant> granted)
    {
        public void Tick(object? state) => granted.TrySetResult(Grant.Given);
    }
}
