// The user must see a frame with an argument of 200 bytes, handed by value through two awaits.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("a large struct as argument and as result")]
public static class LargeStructArgument
{
    [InlineArray(24)]
    private struct Prices
    {
        private long _first;
    }

    private struct Offer
    {
        public Prices Prices;
        public string Customer;
    }

    public static async Task Run(Trail t)
    {
        var offer = new Offer { Customer = "Ada" };
        offer.Prices[23] = 99;
        Offer signed = await SendAsync(t.At(), offer);
        GC.KeepAlive(signed.Customer);
    }

    private static async Task<Offer> SendAsync(Trail t, Offer offer)
    {
        Offer signed = await SignAsync(t.At(), offer);
        signed.Prices[0] = offer.Prices[23];
        return signed;
    }

    private static async ValueTask<Offer> SignAsync(Trail t, Offer offer)
    {
        await t.At().Gate;
        offer.Customer += ", signed";
        return offer;
    }
}
