// The user must see the branch that was taken. Optimised code lays branches out in its own order, so the numbers of the
// states follow the blocks and not the source.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("one stack per branch of if / else if / else")]
public static class IfElse
{
    public static Task Run(Trail t) => Task.WhenAll(
        PayAsync(t.Fork("cash"), 1),
        PayAsync(t.Fork("card"), 2),
        PayAsync(t.Fork("voucher"), 3));

    private static async Task<int> PayAsync(Trail t, int means)
    {
        int paid;
        if (means == 1)
        {
            paid = await CountCoinsAsync(t.At());
        }
        else if (means == 2)
        {
            paid = 2 * await CountCoinsAsync(t.At());
        }
        else
        {
            paid = 3 * await CountCoinsAsync(t.At());
        }
        return paid + means;
    }

    private static async Task<int> CountCoinsAsync(Trail t)
    {
        await Task.Delay(t.At().Delay);
        return 7;
    }
}
