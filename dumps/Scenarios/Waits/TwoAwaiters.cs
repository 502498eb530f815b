// The user must see one stack that two others await: the oven is reached from both customers, and is there once.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("two stacks that await the same stored task")]
public static class TwoAwaiters
{
    public static Task Run(Trail t)
    {
        Trail first = t.Fork("first customer"), second = t.Fork("second customer");
        Task<int> bread = BakeAsync(t.Fork("oven", awaitedBy: [first, second]));
        return Task.WhenAll(BuyAsync(first, bread), BuyAsync(second, bread));
    }

    private static async Task<int> BuyAsync(Trail t, Task<int> bread)
    {
        t.Rest("stored task");
        t.At(); int loaves = await bread;
        return loaves - 1;
    }

    private static async Task<int> BakeAsync(Trail t)
    {
        await t.At().Gate;
        return 20;
    }
}
