// The user must see a method with a builder of its own. In a runtime-async build the compiler passes the builder over, and
// the method is a frame like any other; in a classic build it is a state machine in a pooled box.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("an async method with a pooling builder in the middle of the stack")]
public static class PoolingBuilder
{
    public static async Task Run(Trail t)
    {
        int bags = await PackAsync(t.At());
        GC.KeepAlive(bags);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<int> PackAsync(Trail t)
    {
        int goods = await TakeAsync(t.At());
        return goods + 1;
    }

    private static async Task<int> TakeAsync(Trail t)
    {
        await t.At().Gate;
        return 2;
    }
}
