// The user must see every frame, although `return await F()` may leave no continuation of its own in optimised code:
// the forwarding frames are in the source, and the awaits stand where the truth says.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("tail awaits: return await F(), expression bodies, a last await without a value")]
public static class TailAwait
{
    private static int sold;

    public static async Task Run(Trail t) => await SellAsync(t.At());

    private static async Task SellAsync(Trail t) => await PickAsync(t.At());

    private static async Task<int> PickAsync(Trail t) => await AskAsync(t.At());

    private static async Task<int> AskAsync(Trail t)
    {
        return await ReachAsync(t.At());
    }

    private static async Task<int> ReachAsync(Trail t)
    {
        int height = await ClimbAsync(t.At());
        return height;
    }

    private static async Task<int> ClimbAsync(Trail t)
    {
        await t.At().Gate;
        return ++sold;
    }
}
