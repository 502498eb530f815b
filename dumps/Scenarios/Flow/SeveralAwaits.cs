// The user must see three stacks of one method, each on the line of the await it stands at: not all on the first one,
// and not on the one whose number happens to match the continuation's state.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("each stack stands at its own of three awaits in a row")]
public static class SeveralAwaits
{
    public static Task Run(Trail t) => Task.WhenAll(
        SellAsync(t.Fork("weighing"), 1),
        SellAsync(t.Fork("wrapping"), 2),
        SellAsync(t.Fork("paying"), 3));

    private static async Task<int> SellAsync(Trail t, int stop)
    {
        int grams = await WeighAsync(t.At(), stop == 1);
        grams += await WrapAsync(t.At(), stop == 2);
        int price = await PayAsync(t.At(), stop == 3);
        return grams * price;
    }

    private static async Task<int> WeighAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 500;
    }

    private static async Task<int> WrapAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 20;
    }

    private static async Task<int> PayAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 3;
    }
}
