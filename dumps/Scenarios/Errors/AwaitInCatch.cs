// The user must see the line inside the catch block. The compiler moves that block behind the try, and the exception
// that was caught is a local of the suspended frame.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("await in a catch block")]
public static class AwaitInCatch
{
    public static async Task Run(Trail t)
    {
        string apology = await OrderAsync(t.At());
        GC.KeepAlive(apology);
    }

    private static async Task<string> OrderAsync(Trail t)
    {
        try
        {
            await t.At().Step;
            throw new InvalidOperationException("out of flour");
        }
        catch (InvalidOperationException missing)
        {
            int minutes = await ApologizeAsync(t.At());
            return missing.Message + minutes;
        }
    }

    private static async Task<int> ApologizeAsync(Trail t)
    {
        await t.At().Gate;
        return 15;
    }
}
