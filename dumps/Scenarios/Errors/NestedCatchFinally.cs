// The user must see a finally inside a catch inside a try with a finally of its own: each stack at its own level.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("catch and finally blocks nested in each other, all with awaits")]
public static class NestedCatchFinally
{
    public static Task Run(Trail t) => Task.WhenAll(
        RefundAsync(t.Fork("catch"), 1),
        RefundAsync(t.Fork("finally in catch"), 2),
        RefundAsync(t.Fork("catch in catch"), 3),
        RefundAsync(t.Fork("outer finally"), 4));

    private static async Task<int> RefundAsync(Trail t, int stop)
    {
        int euros = 0;
        try
        {
            throw new InvalidOperationException("wrong size");
        }
        catch (InvalidOperationException)
        {
            euros += await CheckAsync(t.At(), stop == 1);
            try
            {
                throw new TimeoutException("bank");
            }
            catch (TimeoutException)
            {
                euros += await CheckAsync(t.At(), stop == 3);
            }
            finally
            {
                euros += await CheckAsync(t.At(), stop == 2);
            }
        }
        finally
        {
            euros += await CheckAsync(t.At(), stop == 4);
        }
        return euros;
    }

    private static async Task<int> CheckAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 10;
    }
}
