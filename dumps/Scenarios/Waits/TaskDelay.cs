// The user must see that the innermost frame waits for a timer.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Task.Delay at the bottom of three frames")]
public static class TaskDelay
{
    public static async Task Run(Trail t)
    {
        int minutes = await BakeAsync(t.At());
        GC.KeepAlive(minutes);
    }

    private static async Task<int> BakeAsync(Trail t)
    {
        int minutes = await RestAsync(t.At());
        return minutes + 40;
    }

    private static async Task<int> RestAsync(Trail t)
    {
        await Task.Delay(t.At().Delay);
        return 20;
    }
}
