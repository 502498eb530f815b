// The user must see the `foreach` line while the collection is fetched, and the body's line afterwards.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("foreach over an awaited collection")]
public static class ForeachSource
{
    public static Task Run(Trail t) => Task.WhenAll(
        PriceAllAsync(t.Fork("source"), isAtSource: true),
        PriceAllAsync(t.Fork("body"), isAtSource: false));

    private static async Task<int> PriceAllAsync(Trail t, bool isAtSource)
    {
        int sum = 0;
        foreach (string goods in await ListAsync(t.At(), isAtSource))
        {
            sum += await PriceAsync(t.At(), !isAtSource && goods == "milk");
        }
        return sum;
    }

    private static async Task<List<string>> ListAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return ["bread", "milk", "salt"];
    }

    private static async Task<int> PriceAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 2;
    }
}
