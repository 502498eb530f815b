// The user must see methods that return ValueTask<T>, one of them turned into a Task on the way.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("a chain of methods that return ValueTask<T>, once through AsTask")]
public static class ValueTaskOfT
{
    public static async Task Run(Trail t)
    {
        long grams = await WeighAsync(t.At());
        GC.KeepAlive(grams);
    }

    private static async ValueTask<long> WeighAsync(Trail t)
    {
        long tare = await ReadScaleAsync(t.At()).AsTask();
        return tare + 1;
    }

    private static async ValueTask<long> ReadScaleAsync(Trail t)
    {
        int raw = await new ValueTask<int>(t.At().GateFor(5));
        return raw * 100L;
    }
}
