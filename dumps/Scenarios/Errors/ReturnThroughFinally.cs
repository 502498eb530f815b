// The user must see the finally block while the return value of the try block is already waiting to leave.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("return inside try, awaits in both its value and the finally")]
public static class ReturnThroughFinally
{
    public static Task Run(Trail t) => Task.WhenAll(
        CheckoutAsync(t.Fork("value"), 1),
        CheckoutAsync(t.Fork("finally"), 2));

    private static async Task<int> CheckoutAsync(Trail t, int stop)
    {
        try
        {
            return await SumAsync(t.At(), stop == 1);
        }
        finally
        {
            int receipts = await SumAsync(t.At(), stop == 2);
            GC.KeepAlive(receipts);
        }
    }

    private static async Task<int> SumAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 99;
    }
}
