// The user must see a stack that waits for three others, and each of the three: the promise of WhenAll has no link to
// them, they have one to it.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Task.WhenAll over three stacks")]
public static class WhenAllChildren
{
    public static async Task Run(Trail t)
    {
        Task<int> bread = PickAsync(t.Fork("bread", awaitedBy: t), 1);
        Task<int> milk = PickAsync(t.Fork("milk", awaitedBy: t), 2);
        Task<int> salt = PickAsync(t.Fork("salt", awaitedBy: t), 3);
        t.Rest("Task.WhenAll", wait: "Task.WhenAll, 0 of 3 done");
        t.At(); int[] picked = await Task.WhenAll(bread, milk, salt);
        GC.KeepAlive(picked);
    }

    private static async Task<int> PickAsync(Trail t, int shelf)
    {
        if (shelf == 2) await t.At().Step;
        int pieces = await ReachAsync(t.At());
        return pieces + shelf;
    }

    private static async Task<int> ReachAsync(Trail t)
    {

        await t.At().Gate;
        return 1;
    }
}
