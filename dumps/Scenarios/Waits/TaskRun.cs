// The user must see one stack through Task.Run: the lambda that runs on the pool, and the frame that awaits it.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("await Task.Run(async lambda)")]
public static class TaskRun
{
    public static async Task Run(Trail t)
    {
        int price = await AskTheBackOfficeAsync(t.At());
        GC.KeepAlive(price);
    }

    private static async Task<int> AskTheBackOfficeAsync(Trail t)
    {
        Trail lambda = t.At(); int price = await Task.Run(async () =>
        {
            int net = await CalculateAsync(lambda.At());
            return net * 2;
        });
        return price + 1;
    }

    private static async Task<int> CalculateAsync(Trail t)
    {
        await t.At().Gate;
        return 50;
    }
}
