// The user must see methods that were never in tier 0: fully optimised at once, or never optimised at all.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("AggressiveOptimization, NoOptimization and NoInlining methods")]
public static class OptimizedMethod
{
    public static async Task Run(Trail t)
    {
        int sum = await FastAsync(t.At(), 2);
        GC.KeepAlive(sum);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static async Task<int> FastAsync(Trail t, int way)
    {
        int sum = 0;
        if (way == 1) sum += await PlainAsync(t.At());
        if (way == 2) sum += 2 * await PlainAsync(t.At());
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoOptimization)]
    private static async Task<int> PlainAsync(Trail t)
    {
        int pieces = await SmallAsync(t.At());
        return pieces + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> SmallAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
