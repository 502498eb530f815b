// The user must see one stack through Task.Run and WaitAsync: two promises of the framework lie between the frames.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("await Task.Run(...).WaitAsync(timeout)")]
public static class TaskRunWaitAsync
{
    public static async Task Run(Trail t)
    {
        int price = await AskWithPatienceAsync(t.At());
        GC.KeepAlive(price);
    }

    private static async Task<int> AskWithPatienceAsync(Trail t)
    {
        Trail clerk = t.At(); int price = await Task.Run(() => CalculateAsync(clerk)).WaitAsync(TimeSpan.FromHours(100));
        return price + 1;
    }

    private static async Task<int> CalculateAsync(Trail t)
    {
        await t.At().Gate;
        return 50;
    }
}
