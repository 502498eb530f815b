using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Messages are passed on into the lane that they are for, each with a worker of its own. One worker waits for what another has to say first, whose message is behind those for the
/// first lane, which is full. In the twin the first worker takes long.
/// </summary>
public sealed class Lanes
{
    private readonly Channel<int> _incoming = Channel.CreateBounded<int>(4);
    private readonly Channel<int>[] _lanes = [Channel.CreateBounded<int>(2), Channel.CreateBounded<int>(2), Channel.CreateBounded<int>(2)];
    private readonly TaskCompletionSource<Rate> _rates = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly bool _isSlow;

    private enum Rate
    {
        Known,
    }

    private Lanes(bool isSlow) => _isSlow = isSlow;

    public static void StartStuck(int count) => new Lanes(isSlow: false).Start();

    public static void StartSlow(int count) => new Lanes(isSlow: true).Start();

    private void Start()
    {
        Marks.Keep(this);
        Marks.Keep(Task.Run(SortAsync));
        for (int lane = 0; lane < _lanes.Length; lane++)
            Marks.Keep(WorkAsync(lane));
        Marks.Keep(FeedAsync());
        Thread.Sleep(500);
    }

    private async Task FeedAsync()
    {
        for (int message = 1; ; message++)
            await _incoming.Writer.WriteAsync(message % 10 == 0 ? 1 : 0);
    }

    private async Task SortAsync()
    {
        await foreach (int lane in _incoming.Reader.ReadAllAsync())
            await _lanes[lane].Writer.WriteAsync(lane);
    }

    private async Task WorkAsync(int lane)
    {
        await foreach (int message in _lanes[lane].Reader.ReadAllAsync())
        {
            if (lane > 0)
                _rates.TrySetResult(Rate.Known);
            else if (_isSlow)
                await Task.Delay(TimeSpan.FromHours(1));
            else
                await _rates.Task;
        }
    }
}
