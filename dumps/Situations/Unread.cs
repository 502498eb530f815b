using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Who fills a bounded channel waits for room, and nobody reads it any more: its reader has stopped early, and waits for who fills it. In the twins the reader is busy, comes later, or may be called.
/// </summary>
public sealed class Unread
{
    private readonly Channel<Item> _late = Channel.CreateBounded<Item>(2), _asked = Channel.CreateBounded<Item>(2);

    public static void StartLeft(int count) => Start(all => all.StopEarlyAsync());

    public static void StartAlike(int count) => Start(all => all.BusyAsync(), all => all.ReadLateAsync(), all => FillAsync(all._late.Writer), all => FillAsync(all._asked.Writer));

    private static void Start(params Func<Unread, Task>[] parts)
    {
        var all = new Unread();
        Marks.Keep(all);
        foreach (Func<Unread, Task> part in parts)
            Marks.Keep(part(all));
        Thread.Sleep(500);
    }

    /// <summary>What is passed on.</summary>
    public sealed record Item(int Number);

    /// <summary>Nobody has called it yet.</summary>
    public async Task<int> AskAsync() => (await _asked.Reader.ReadAsync()).Number;

    private async Task<int> StopEarlyAsync()
    {
        int sum = 0;
        await foreach (Item item in LoadAsync())
        {
            sum += item.Number;
            if (sum > 3)
                break;
        }
        return sum;
    }

    private async Task BusyAsync()
    {
        await foreach (Item item in LoadAsync())
            await Task.Delay(TimeSpan.FromHours(item.Number + 1));
    }

    private async Task<int> ReadLateAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1));
        return (await _late.Reader.ReadAsync()).Number;
    }

    private static async IAsyncEnumerable<Item> LoadAsync()
    {
        var channel = Channel.CreateBounded<Item>(2);
        Marks.Keep(channel);
        Task producer = FillAsync(channel.Writer);
        try
        {
            while (await channel.Reader.WaitToReadAsync())
            {
                while (channel.Reader.TryRead(out Item? item))
                    yield return item;
            }
        }
        finally
        {
            await producer;
        }
    }

    private static async Task FillAsync(ChannelWriter<Item> writer)
    {
        for (int number = 0; ; number++)
            await writer.WriteAsync(new(number));
    }
}
