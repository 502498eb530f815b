// The user must see the stack as ever while an AsyncLocal flows along: an execution context hangs on each continuation.
using Scenarios.Support;

namespace Scenarios.Contexts;

[Scenario("AsyncLocal values flow through the stack")]
public static class AsyncLocalFlow
{
    private static readonly AsyncLocal<string> Customer = new();

    public static async Task Run(Trail t)
    {
        Customer.Value = "Ada";
        int length = await ServeAsync(t.At());
        if (Customer.Value != "Ada") throw new InvalidOperationException("The customer changed on the way.");
        GC.KeepAlive(length);
    }

    private static async Task<int> ServeAsync(Trail t)
    {
        await t.At().Step;
        Customer.Value += " and Bob";
        int length = await PackAsync(t.At());
        return length + Customer.Value.Length;
    }

    private static async Task<int> PackAsync(Trail t)
    {
        await t.At().Gate;
        return Customer.Value!.Length;
    }
}
