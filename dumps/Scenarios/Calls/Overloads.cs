// The user must see three frames of one name on three lines: overloads, told apart by their parameters only.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("overloads that await each other")]
public static class Overloads
{
    public static async Task Run(Trail t)
    {
        int price = await PriceAsync(t.At());
        GC.KeepAlive(price);
    }

    private static async Task<int> PriceAsync(Trail t) => 1 + await PriceAsync(t.At(), "bread");

    private static async Task<int> PriceAsync(Trail t, string goods) => goods.Length + await PriceAsync(t.At(), goods, 2);

    private static async Task<int> PriceAsync(Trail t, string goods, int pieces)
    {
        await t.At().Gate;
        return goods.Length * pieces;
    }
}
