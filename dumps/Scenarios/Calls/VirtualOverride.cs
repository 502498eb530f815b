// The user must see the override and, below it, the base method that it called: same name, two types, two lines.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("virtual call, override, base call")]
public static class VirtualOverride
{
    public static Task Run(Trail t) => Task.WhenAll(
        VisitAsync(t.Fork("base only"), new Customer()),
        VisitAsync(t.Fork("override"), new RegularCustomer()));

    private static async Task<int> VisitAsync(Trail t, Customer customer)
    {
        int spent = await customer.BuyAsync(t.At());
        return spent * 2;
    }

    private class Customer
    {
        protected int Purse { get; set; } = 10;

        public virtual async Task<int> BuyAsync(Trail t)
        {
            await t.At().Gate;
            return Purse--;
        }
    }

    private sealed class RegularCustomer : Customer
    {
        public override async Task<int> BuyAsync(Trail t)
        {
            int spent = await base.BuyAsync(t.At());
            return spent + Purse;
        }
    }
}
