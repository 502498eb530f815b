// The user must see that the frames wait for a channel: an empty one to read from, and a full one to write to.
using System.Threading.Channels;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Channel: ReadAsync on an empty one, WaitToReadAsync, WriteAsync on a full one")]
public static class ChannelRead
{
    public static Task Run(Trail t) => Task.WhenAll(
        TakeAsync(t.Fork("read"), Channel.CreateUnbounded<string>()),
        PeekAsync(t.Fork("wait to read"), Channel.CreateUnbounded<string>()),
        PutAsync(t.Fork("write"), Channel.CreateBounded<string>(1)));

    private static async Task<int> TakeAsync(Trail t, Channel<string> orders)
    {
        t.Rest("ChannelReader.ReadAsync", () => orders.Writer.TryWrite("bread"), "Channel<string> read, 0 items, 1 reader waiting");
        t.At(); string order = await orders.Reader.ReadAsync();
        return order.Length;
    }

    private static async Task<int> PeekAsync(Trail t, Channel<string> orders)
    {
        t.Rest("ChannelReader.WaitToReadAsync", () => orders.Writer.TryWrite("milk"), "Channel<string> wait to read, 0 items, 1 reader waiting");
        t.At(); bool isThere = await orders.Reader.WaitToReadAsync();
        return isThere ? orders.Reader.Count : -1;
    }

    private static async Task<int> PutAsync(Trail t, Channel<string> orders)
    {
        await orders.Writer.WriteAsync("first");
        t.Rest("ChannelWriter.WriteAsync", () => orders.Reader.TryRead(out _), "Channel<string> write, 1 of 1 items, 1 writer waiting");
        t.At(); await orders.Writer.WriteAsync("second");
        return orders.Reader.Count;
    }
}
