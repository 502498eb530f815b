// The user must see the same stack with ConfigureAwait as without; only the flags of the continuations differ.
using Scenarios.Support;

namespace Scenarios.Contexts;

[Scenario("ConfigureAwait(false) and ConfigureAwaitOptions on calls and on the leaf")]
public static class ConfigureAwaitFalse
{
    public static async Task Run(Trail t)
    {
        int price = await AskAsync(t.At()).ConfigureAwait(false);
        GC.KeepAlive(price);
    }

    private static async Task<int> AskAsync(Trail t)
    {
        int price = await LookUpAsync(t.At()).ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        return price + 1;
    }

    private static async Task<int> LookUpAsync(Trail t)
    {
        int page = await TurnPageAsync(t.At()).ConfigureAwait(false);
        return page + 1;
    }

    private static async ValueTask<int> TurnPageAsync(Trail t)
    {
        await Task.Delay(t.At().Delay).ConfigureAwait(false);
        return 3;
    }
}
