// The user must see two methods in turn, with the lines of both, resumed once in the middle on the way down.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("two methods that await each other in turn")]
public static class MutualRecursion
{
    public static async Task Run(Trail t)
    {
        int price = await AskAsync(t.At(), 9);
        GC.KeepAlive(price);
    }

    private static async Task<int> AskAsync(Trail t, int rounds)
    {
        if (rounds == 4) await t.At().Step;
        int offer = await OfferAsync(t.At(), rounds - 1);
        return offer - 1;
    }

    private static async ValueTask<int> OfferAsync(Trail t, int rounds)
    {
        if (rounds <= 0)
        {
            await t.At().Gate;
            return 100;
        }
        return 1 + await AskAsync(t.At(), rounds - 1);
    }
}
