// The user must see the line inside the finally block, once entered normally and once with an exception under way.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("await in a finally block, entered normally and by an exception")]
public static class AwaitInFinally
{
    public static Task Run(Trail t) => Task.WhenAll(
        CloseAsync(t.Fork("normal"), fails: false),
        CloseQuietlyAsync(t.Fork("exception")));

    private static async Task<int> CloseQuietlyAsync(Trail t)
    {
        try
        {
            return await CloseAsync(t.At(), fails: true);
        }
        catch (InvalidOperationException)
        {
            return -1;
        }
    }

    private static async Task<int> CloseAsync(Trail t, bool fails)
    {
        int doors = 0;
        try
        {
            doors++;
            if (fails) throw new InvalidOperationException("key lost");
        }
        finally
        {
            doors += await LockDoorAsync(t.At());
        }
        return doors;
    }

    private static async Task<int> LockDoorAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
