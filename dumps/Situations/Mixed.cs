using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Situations;

/// <summary>Every kind of async method in one stack, down to a channel, and a thread that blocks for it all.</summary>
public static class Mixed
{
    private static readonly Channel<int> Orders = Channel.CreateBounded<int>(10);

    public static void Start(int count)
    {
        Marks.Keep(ServeAsync());
        Thread.Sleep(300);
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task ServeAsync()
    {
        int order = await NextAsync().At("serve");
        GC.KeepAlive(order);
    }

    private static async Task<int> NextAsync()
    {
        int order = await FetchAsync().At("next");
        return order + 1;
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task<int> FetchAsync()
    {
        int order = await TakeAsync().At("fetch");
        return order + 1;
    }

    [RuntimeAsyncMethodGeneration(false)]
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<int> TakeAsync()
    {
        int order = await Orders.Reader.At("take").ReadAsync();
        return order + 1;
    }
}
