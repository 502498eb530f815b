// The user must see the line of the round that is running: the loop has two awaits, odd rounds take the second one,
// and every round before was suspended and resumed.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("the line inside a loop changes with the round; one stack stops in round 2, one in round 3")]
public static class LoopRounds
{
    public static Task Run(Trail t) => Task.WhenAll(
        RestockAsync(t.Fork("even round"), 2),
        RestockAsync(t.Fork("odd round"), 3));

    private static async Task<int> RestockAsync(Trail t, int stop)
    {
        int boxes = 0;
        for (int shelf = 0; shelf < 5; shelf++)
        {
            if (shelf % 2 == 0)
                boxes += await FillAsync(t.At(), shelf == stop);
            else
                boxes += 10 * await FillAsync(t.At(), shelf == stop);
        }
        return boxes;
    }

    private static async Task<int> FillAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }
}
