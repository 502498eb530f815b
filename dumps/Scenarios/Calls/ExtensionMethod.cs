// The user must see extension methods under the class that declares them, in the old form and in an extension block.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("async extension methods, old form and extension block")]
public static class ExtensionMethod
{
    public static async Task Run(Trail t)
    {
        var basket = new Basket { Pieces = 3 };
        int pieces = await basket.PackAsync(t.At());
        GC.KeepAlive(pieces);
    }
}

public sealed class Basket
{
    public int Pieces { get; set; }
}

public static class BasketExtensions
{
    public static async Task<int> PackAsync(this Basket basket, Trail t)
    {
        int wrapped = await basket.WrapAsync(t.At());
        return wrapped + basket.Pieces;
    }

    extension(Basket basket)
    {
        public async Task<int> WrapAsync(Trail t)
        {
            basket.Pieces++;
            await t.At().Gate;
            return basket.Pieces;
        }
    }
}
