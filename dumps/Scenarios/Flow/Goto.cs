// The user must see the await it jumped to: the labels stand in the reverse order of the way through the method.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("goto jumps backwards between awaits")]
public static class Goto
{
    public static Task Run(Trail t) => Task.WhenAll(
        TourAsync(t.Fork("cellar"), 2),
        TourAsync(t.Fork("attic"), 3));

    private static async Task<int> TourAsync(Trail t, int stop)
    {
        int steps = 0;
        goto shop;
    attic:
        steps += await ClimbAsync(t.At(), stop == 3);
        return steps;
    cellar:
        steps += await ClimbAsync(t.At(), stop == 2);
        goto attic;
    shop:
        steps += await ClimbAsync(t.At(), stop == 1);
        goto cellar;
    }

    private static async Task<int> ClimbAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 12;
    }
}
