// The user must see, for each kind of channel, how full it is and how many others wait at it.
using System.Threading.Channels;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Channel: bounded and full, without a buffer, with priorities, for one consumer, several readers")]
public static class ChannelKinds
{
    public static Task Run(Trail t) => Task.WhenAll(
        BoundedAsync(t.Fork("wait to write"), Channel.CreateBounded<int>(3)),
#if NET10_0_OR_GREATER
        HandOverAsync(t.Fork("no buffer, write"), Channel.CreateBounded<int>(0)),
        TakeOverAsync(t.Fork("no buffer, read"), Channel.CreateBounded<int>(0)),
#endif
#if NET9_0_OR_GREATER
        PriorityAsync(t.Fork("priorities"), Channel.CreateUnboundedPrioritized<int>()),
#endif
        OneConsumerAsync(t.Fork("one consumer"), Channel.CreateUnbounded<int>(new() { SingleReader = true })),
        QueueAsync(t));

    private static async Task<int> BoundedAsync(Trail t, Channel<int> shelf)
    {
        for (int i = 0; i < 3; i++) await shelf.Writer.WriteAsync(i);
        t.Rest("ChannelWriter.WaitToWriteAsync", () => shelf.Reader.TryRead(out _), "Channel<int> wait to write, 3 of 3 items, 1 writer waiting");
        t.At(); bool isFree = await shelf.Writer.WaitToWriteAsync();
        return isFree ? shelf.Reader.Count : -1;
    }

    private static async Task<int> HandOverAsync(Trail t, Channel<int> counter)
    {
        t.Rest("ChannelWriter.WriteAsync", () => SpinWait.SpinUntil(() => counter.Reader.TryRead(out _)), "Channel<int> write, no buffer, 1 writer waiting");
        t.At(); await counter.Writer.WriteAsync(7);
        return counter.Reader.Count;
    }

    private static async Task<int> TakeOverAsync(Trail t, Channel<int> counter)
    {
        t.Rest("ChannelReader.ReadAsync", () => SpinWait.SpinUntil(() => counter.Writer.TryWrite(7)), "Channel<int> read, no buffer, 1 reader waiting");
        t.At(); int bread = await counter.Reader.ReadAsync();
        return bread + counter.Reader.Count;
    }

    private static async Task<int> PriorityAsync(Trail t, Channel<int> queue)
    {
        t.Rest("ChannelReader.ReadAsync", () => queue.Writer.TryWrite(7), "Channel<int> read, 0 items, 1 reader waiting");
        t.At(); int first = await queue.Reader.ReadAsync();
        return first + queue.Reader.Count;
    }

    private static async Task<int> OneConsumerAsync(Trail t, Channel<int> belt)
    {
        t.Rest("ChannelReader.WaitToReadAsync", () => belt.Writer.TryWrite(7), "Channel<int> wait to read, 0 items, 1 reader waiting");
        t.At(); bool isThere = await belt.Reader.WaitToReadAsync();
        GC.KeepAlive(belt);
        return isThere ? 1 : 0;
    }

    // One after another: the places in the queue are part of the truth.
    private static async Task QueueAsync(Trail t)
    {
        var orders = Channel.CreateUnbounded<long>();
        Task<long> first = TakeAsync(t.Fork("first reader"), orders, "1st");
        Task<long> second = TakeAsync(t.Fork("second reader"), orders, "2nd");
        Trail own = t.Fork("both readers", t);
        own.Rest("Task.WhenAll", wait: "Task.WhenAll, 0 of 2 done");
        own.At(); long[] taken = await Task.WhenAll(first, second);
        GC.KeepAlive(taken);
    }

    private static async Task<long> TakeAsync(Trail t, Channel<long> orders, string place)
    {
        t.Rest("ChannelReader.ReadAsync", () => orders.Writer.TryWrite(7), $"Channel<long> read, 0 items, 2 readers waiting, {place} in the queue");
        t.At(); long order = await orders.Reader.ReadAsync();
        return order + orders.Reader.Count;
    }
}
