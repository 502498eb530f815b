using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Situations;

/// <summary>Who follows gets a bounded channel, which a publisher finds in a dictionary.</summary>
public sealed class Followers
{
    private readonly ConcurrentDictionary<int, Channel<string>> _all = new();
    private int _seen;

    /// <summary>One has left, and its channel has not been taken out.</summary>
    public static void StartLeft(int count) => Start(TimeSpan.Zero);

    /// <summary>Not stuck: it is there, and takes long.</summary>
    public static void StartSlow(int count) => Start(TimeSpan.FromHours(1));

    private static void Start(TimeSpan work)
    {
        var followers = new Followers();
        var leaving = new CancellationTokenSource();
        Marks.Keep(followers);
        Marks.Keep(followers.FollowAsync(1, TimeSpan.Zero, CancellationToken.None));
        Marks.Keep(followers.FollowAsync(2, work, leaving.Token));
        if (work == TimeSpan.Zero)
            leaving.Cancel();
        Marks.Keep(followers.RunAsync());
        Thread.Sleep(300);
    }

    private (int Id, ChannelReader<string> Updates) Follow(int id)
    {
        var channel = Channel.CreateBounded<string>(2);
        _all[id] = channel;
        return (id, channel.Reader);
    }

    private void Unfollow(int id)
    {
        if (_all.TryRemove(id, out Channel<string>? channel))
            channel.Writer.TryComplete();
    }

    private async Task FollowAsync(int wanted, TimeSpan work, CancellationToken left)
    {
        (int id, ChannelReader<string> updates) = Follow(wanted);
        try
        {
            await foreach (string text in updates.ReadAllAsync(left))
            {
                _seen += text.Length;
                await Task.Delay(work, CancellationToken.None);
            }
            Unfollow(id);
        }
        catch (OperationCanceledException)
        {
            _seen++;
        }
    }

    private async Task RunAsync()
    {
        while (_seen >= 0)
            await PublishAsync("update");
    }

    private async Task PublishAsync(string text)
    {
        foreach ((_, Channel<string> channel) in _all)
            await channel.Writer.WriteAsync(text);
    }
}
