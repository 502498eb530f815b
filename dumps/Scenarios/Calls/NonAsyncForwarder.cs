// The user must see no frame for the methods that only pass a Task on: they have returned long ago.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("methods that return a Task without being async are no frames")]
public static class NonAsyncForwarder
{
    public static async Task Run(Trail t)
    {
        int price = await QuoteAsync(t.At());
        GC.KeepAlive(price);
    }

    private static Task<int> QuoteAsync(Trail t) => LookUpAsync(t, "bread");

    private static Task<int> LookUpAsync(Trail t, string goods) => goods.Length > 0 ? ReadAsync(t) : Task.FromResult(0);

    private static async Task<int> ReadAsync(Trail t)
    {
        await t.At().Gate;
        return 3;
    }
}
