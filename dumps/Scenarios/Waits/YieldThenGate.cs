// The user must see the last suspension of a chain that was resumed twice before: at its bottom, and in the middle.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Task.Yield first, then the gate: the chain has been resumed before")]
public static class YieldThenGate
{
    public static async Task Run(Trail t)
    {
        int served = await ServeAsync(t.At());
        GC.KeepAlive(served);
    }

    private static async Task<int> ServeAsync(Trail t)
    {
        int first = await GreetAsync(t.At(), isLast: false);
        t.At(); await Task.Yield();
        int second = await GreetAsync(t.At(), isLast: true);
        return first + second;
    }

    private static async Task<int> GreetAsync(Trail t, bool isLast)
    {
        t.At(); await Task.Yield();
        await t.At().GateIf(isLast);
        return 1;
    }
}
