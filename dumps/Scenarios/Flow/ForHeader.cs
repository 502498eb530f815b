// The user must see the `for` header whichever of its three parts awaits. The compiler puts initialiser, step and
// condition in this order and in three places of the method, each with a sequence point of its own on that line.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("await in the initialiser, the condition and the step of a for header")]
public static class ForHeader
{
    public static Task Run(Trail t) => Task.WhenAll(
        CountAsync(t.Fork("initialiser"), 1),
        CountAsync(t.Fork("condition"), 2),
        CountAsync(t.Fork("step"), 3));

    private static async Task<int> CountAsync(Trail t, int stop)
    {
        int sum = 0;
        for (int i = await ZeroAsync(t.At(site: 1), stop == 1); await IsBelowAsync(t.At(site: 3), i, stop == 2); i += await OneAsync(t.At(site: 2), stop == 3))
        {
            sum += i;
        }
        return sum;
    }

    private static async Task<int> ZeroAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 0;
    }

    private static async Task<bool> IsBelowAsync(Trail t, int i, bool isLast)
    {
        await t.At().GateIf(isLast && i == 0);
        return i < 2;
    }

    private static async Task<int> OneAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }
}
