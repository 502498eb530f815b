// The user must see the explicit implementation, whose name in metadata holds the whole name of the interface.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("await of an explicit interface implementation")]
public static class ExplicitInterface
{
    private interface ITill
    {
        ValueTask<int> OpenAsync(Trail t);
    }

    public static async Task Run(Trail t)
    {
        ITill till = new Register();
        int coins = await till.OpenAsync(t.At());
        GC.KeepAlive(coins);
    }

    private sealed class Register : ITill
    {
        private int _coins = 30;

        async ValueTask<int> ITill.OpenAsync(Trail t)
        {
            await t.At().Gate;
            return _coins++;
        }
    }
}
