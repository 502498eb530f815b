// The user must see the body that the interface itself brings, and below it the implementor's own method.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("await of a default interface method that calls back into its class")]
public static class DefaultInterfaceMethod
{
    private interface IGuarantee
    {
        async Task<int> RepairAsync(Trail t)
        {
            int days = await EstimateAsync(t.At());
            return days * 2;
        }

        Task<int> EstimateAsync(Trail t);
    }

    public static async Task Run(Trail t)
    {
        IGuarantee clock = new Clock();
        int days = await clock.RepairAsync(t.At());
        GC.KeepAlive(days);
    }

    private sealed class Clock : IGuarantee
    {
        public async Task<int> EstimateAsync(Trail t)
        {
            await t.At().Gate;
            return 3;
        }
    }
}
