// The user must see the await in the method that used stack memory and pointers before: they are gone when it suspends.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("stackalloc and unsafe code before the await")]
public static class StackallocBefore
{
    public static async Task Run(Trail t)
    {
        int sum = await StampAsync(t.At(), 12);
        GC.KeepAlive(sum);
    }

    private static async Task<int> StampAsync(Trail t, int pieces)
    {
        int sum = 0;
        unsafe
        {
            int* stamps = stackalloc int[16];
            for (int i = 0; i < pieces; i++) stamps[i] = i;
            for (int i = 0; i < pieces; i++) sum += stamps[i];
        }
        int posted = await PostAsync(t.At());
        return sum + posted;
    }

    private static async Task<int> PostAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
