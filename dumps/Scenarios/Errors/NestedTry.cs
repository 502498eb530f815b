// The user must see the await in the innermost try, in the middle one after the inner finally ran, and behind all of them.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("awaits at each level of nested try/catch/finally")]
public static class NestedTry
{
    public static Task Run(Trail t) => Task.WhenAll(
        DeliverAsync(t.Fork("outer try"), 1),
        DeliverAsync(t.Fork("inner try"), 2),
        DeliverAsync(t.Fork("between"), 3),
        DeliverAsync(t.Fork("behind"), 4));

    private static async Task<int> DeliverAsync(Trail t, int stop)
    {
        int parcels = 0;
        try
        {
            parcels += await DriveAsync(t.At(), stop == 1);
            try
            {
                parcels += await DriveAsync(t.At(), stop == 2);
            }
            catch (ArgumentException)
            {
                parcels = -1;
            }
            finally
            {
                parcels++;
            }
            parcels += await DriveAsync(t.At(), stop == 3);
        }
        finally
        {
            parcels++;
        }
        parcels += await DriveAsync(t.At(), stop == 4);
        return parcels;
    }

    private static async Task<int> DriveAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 5;
    }
}
