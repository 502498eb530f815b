// The user must see the line where the stored task is awaited, not the line where it was started.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("a task started early, stored, awaited later")]
public static class StoredTask
{
    public static async Task Run(Trail t)
    {
        int loaves = await OpenShopAsync(t.At());
        GC.KeepAlive(loaves);
    }

    private static async Task<int> OpenShopAsync(Trail t)
    {
        Task<int> baking = BakeAsync(t.At());
        int shelves = 3;
        while (shelves > 0) shelves--;
        t.Again(); int loaves = await baking;
        return loaves + shelves;
    }

    private static async Task<int> BakeAsync(Trail t)
    {
        await t.At().Step;
        await t.At().Gate;
        return 20;
    }
}
