// The user must see a stack that waits for the first of three others, and each of the three.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Task.WhenAny over two and over three stacks")]
public static class WhenAnyChildren
{
    public static Task Run(Trail t) => Task.WhenAll(
        OfTwoAsync(t.Fork("of two"), t),
        OfThreeAsync(t.Fork("of three"), t));

    private static async Task<int> OfTwoAsync(Trail t, Trail root)
    {
        Task<int> courier = ShipAsync(root.Fork("courier", awaitedBy: t));
        Task<int> post = ShipAsync(root.Fork("post", awaitedBy: t));
        t.Rest("Task.WhenAny");
        t.At(); Task<int> first = await Task.WhenAny(courier, post);
        return first.Id;
    }

    private static async Task<int> OfThreeAsync(Trail t, Trail root)
    {
        Task[] ways =
        [
            ShipAsync(root.Fork("train", awaitedBy: t)),
            ShipAsync(root.Fork("truck", awaitedBy: t)),
            ShipAsync(root.Fork("bicycle", awaitedBy: t)),
        ];
        t.Rest("Task.WhenAny");
        t.At(); Task first = await Task.WhenAny(ways);
        return first.Id;
    }

    private static async Task<int> ShipAsync(Trail t)
    {
        await Task.Delay(t.At().Delay);
        return 1;
    }
}
