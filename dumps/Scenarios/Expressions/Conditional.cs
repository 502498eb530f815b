// The user must see which side of the conditional operator awaits: same line, same callee, another site.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("a ? await X() : await Y()")]
public static class Conditional
{
    public static Task Run(Trail t) => Task.WhenAll(
        DiscountAsync(t.Fork("true"), isRegular: true),
        DiscountAsync(t.Fork("false"), isRegular: false));

    private static async Task<int> DiscountAsync(Trail t, bool isRegular)
    {
        int percent = isRegular ? await LookUpAsync(t.At(site: 1), 10) : -await LookUpAsync(t.At(site: 2), 5);
        return percent * 2;
    }

    private static async Task<int> LookUpAsync(Trail t, int percent)
    {
        await t.At().Gate;
        return percent;
    }
}
