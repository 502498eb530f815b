// The user must see the callees that the JIT inlined into the frame above: they are frames of the source.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("AggressiveInlining callees, one and two levels")]
public static class InlinedCallee
{
    public static async Task Run(Trail t)
    {
        int sum = await AddUpAsync(t.At());
        GC.KeepAlive(sum);
    }

    private static async Task<int> AddUpAsync(Trail t)
    {
        int sum = await RoundAsync(t.At());
        sum += await HalveAsync(t.At());
        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> RoundAsync(Trail t)
    {
        await t.At().Step;
        return 10;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> HalveAsync(Trail t)
    {
        int whole = await ReadAsync(t.At());
        return whole / 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> ReadAsync(Trail t)
    {
        await t.At().Gate;
        return 20;
    }
}
