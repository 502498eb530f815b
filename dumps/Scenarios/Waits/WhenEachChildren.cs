// The user must see a stack that waits in `await foreach` over Task.WhenEach, an iterator of the framework, for two others.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("await foreach over Task.WhenEach of two stacks")]
public static class WhenEachChildren
{
    public static async Task Run(Trail t)
    {
        Task<int> bread = PickAsync(t.Fork("bread", awaitedBy: t));
        Task<int> milk = PickAsync(t.Fork("milk", awaitedBy: t));
        int sum = 0;
        t.Rest("Task.WhenEach", wait: "Task.WhenEach, 2 pending");
        t.At(up: -1, site: 1);
        await foreach (Task<int> picked in Task.WhenEach(bread, milk))
        {
            sum += picked.Result;
        }
        GC.KeepAlive(sum);
    }

    private static async Task<int> PickAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
