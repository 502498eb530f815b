// The user must see thirteen stacks of one method on thirteen lines, the k-th at the k-th await.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("thirteen awaits in one method, one stack at each")]
public static class TwelveAwaits
{
    public static Task Run(Trail t) => Task.WhenAll(
        Enumerable.Range(1, 13).Select(k => InventoryAsync(t.Fork($"await {k}"), k)));

    private static async Task<int> InventoryAsync(Trail t, int stop)
    {
        int pieces = await CountAsync(t.At(), stop == 1);
        pieces += await CountAsync(t.At(), stop == 2);
        pieces ^= await CountAsync(t.At(), stop == 3);
        pieces += await CountAsync(t.At(), stop == 4);
        pieces ^= await CountAsync(t.At(), stop == 5);
        pieces += await CountAsync(t.At(), stop == 6);
        pieces ^= await CountAsync(t.At(), stop == 7);
        pieces += await CountAsync(t.At(), stop == 8);
        pieces ^= await CountAsync(t.At(), stop == 9);
        pieces += await CountAsync(t.At(), stop == 10);
        pieces ^= await CountAsync(t.At(), stop == 11);
        pieces += await CountAsync(t.At(), stop == 12);
        pieces ^= await CountAsync(t.At(), stop == 13);
        return pieces;
    }

    private static async Task<int> CountAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 11;
    }
}
