// The user must see the first line of the statement for all three stacks, because the statement has one sequence point;
// `site` tells which of its awaits it is.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("several awaits in one statement over several lines")]
public static class MultiLineStatement
{
    public static Task Run(Trail t) => Task.WhenAll(
        TotalAsync(t.Fork("bread"), 1),
        TotalAsync(t.Fork("milk"), 2),
        TotalAsync(t.Fork("salt"), 3));

    private static async Task<int> TotalAsync(Trail t, int stop)
    {
        int total = await PriceAsync(t.At(site: 1), stop == 1)
            + await PriceAsync(t.At(up: 1, site: 2), stop == 2)
            * await PriceAsync(t.At(up: 2, site: 3), stop == 3);
        return total - 1;
    }

    private static async Task<int> PriceAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 3;
    }
}
