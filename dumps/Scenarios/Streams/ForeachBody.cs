// The user must see the body's line and no iterator frame: the iterator stands at its yield and awaits nothing.
using Scenarios.Support;

namespace Scenarios.Streams;

[Scenario("await in the body of await foreach, while the iterator rests at its yield")]
public static class ForeachBody
{
    public static async Task Run(Trail t)
    {
        int sold = await SellAllAsync(t.At());
        GC.KeepAlive(sold);
    }

    private static async Task<int> SellAllAsync(Trail t)
    {
        int sold = 0;
        await foreach (int boxes in ShelvesAsync(t.At()).ConfigureAwait(false))
        {
            sold += await SellAsync(t.At(), boxes);
        }
        return sold;
    }

    private static async IAsyncEnumerable<int> ShelvesAsync(Trail t)
    {
        await t.At(kind: FrameKind.Iterator).Step;
        yield return 7;
    }

    private static async Task<int> SellAsync(Trail t, int boxes)
    {
        await t.At().Gate;
        return boxes;
    }
}
