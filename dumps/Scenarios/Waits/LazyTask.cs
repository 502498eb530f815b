// The user must see one stack through a Lazy<Task<T>>, and the second asker as a stack of its own that awaits the same.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("a Lazy<Task<T>> that two stacks await")]
public static class LazyTask
{
    public static Task Run(Trail t)
    {
        Trail first = t.Fork("first"), second = t.Fork("second"), loading = t.Fork("loading", awaitedBy: [first, second]);
        var prices = new Lazy<Task<int>>(() => LoadAsync(loading));
        return Task.WhenAll(AskAsync(first, prices), AskAsync(second, prices));
    }

    private static async Task<int> AskAsync(Trail t, Lazy<Task<int>> prices)
    {
        t.Rest("stored task");
        t.At(); int price = await prices.Value;
        return price + 1;
    }

    private static async Task<int> LoadAsync(Trail t)
    {
        await t.At().Gate;
        return 3;
    }
}
