// The user must see the implementation that was called, not the interface's member.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("await through an interface, two implementations")]
public static class InterfaceCall
{
    private interface ISupplier
    {
        Task<int> DeliverAsync(Trail t);
    }

    public static Task Run(Trail t) => Task.WhenAll(
        OrderAsync(t.Fork("baker"), new Baker()),
        OrderAsync(t.Fork("dairy"), new Dairy()));

    private static async Task<int> OrderAsync(Trail t, ISupplier supplier)
    {
        int boxes = await supplier.DeliverAsync(t.At());
        return boxes + 1;
    }

    private sealed class Baker : ISupplier
    {
        private int _loaves = 20;

        public async Task<int> DeliverAsync(Trail t)
        {
            await t.At().Gate;
            return _loaves--;
        }
    }

    private sealed class Dairy : ISupplier
    {
        public async Task<int> DeliverAsync(Trail t)
        {
            await Task.Delay(t.At().Delay);
            return 6;
        }
    }
}
