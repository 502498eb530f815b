// The user must see the stack although its awaits captured a task scheduler, and one stack through StartNew and Unwrap.
using Scenarios.Support;

namespace Scenarios.Contexts;

[Scenario("awaits that captured a TaskScheduler")]
public static class CapturedScheduler
{
    public static async Task Run(Trail t)
    {
        var oneAtATime = new TaskFactory(new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler);
        Trail clerk = t.At(); int coins = await oneAtATime.StartNew(() => ServeAsync(clerk)).Unwrap();
        GC.KeepAlive(coins);
    }

    private static async Task<int> ServeAsync(Trail t)
    {
        await t.At().Step;
        int coins = await PayAsync(t.At());
        return coins + 1;
    }

    private static async Task<int> PayAsync(Trail t)
    {
        await t.At().Gate;
        return 2;
    }
}
