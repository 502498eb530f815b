// The user must see the await after the lock was given back; a monitor and a Lock leave a try/finally in front of it.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("a lock statement, then an await")]
public static class LockThenAwait
{
    private static readonly object Till = new();
    private static readonly Lock Safe = new();
    private static int coins;

    public static async Task Run(Trail t)
    {
        int before = await DepositAsync(t.At());
        coins = before;
    }

    private static async Task<int> DepositAsync(Trail t)
    {
        lock (Till)
        {
            coins++;
        }
        await t.At().Step;
        lock (Safe)
        {
            coins++;
        }
        await t.At().Gate;
        lock (Till)
        {
            return coins - 2;
        }
    }
}
