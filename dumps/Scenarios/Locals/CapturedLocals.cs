// The user must see captured variables under their own names, not the closure that holds them.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("variables that lambdas captured")]
public static class CapturedLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await new Till().SellAsync(t.At(), Goods.Get("bread"), Goods.Get(3));
        GC.KeepAlive(sum);
    }

    private sealed class Till
    {
        private readonly int _discount = Goods.Get(1);

        public async Task<int> SellAsync(Trail t, string goods, int pieces)
        {
            double price = Goods.Get(2.5);
            Func<Trail, Task<int>> pack = async inner =>
            {
                int weight = Goods.Get(250);
                inner.Local(pieces);
                inner.Local(price);
                inner.Local(goods);
                inner.Local(weight);
                await inner.At().Gate;
                Goods.Use(price);
                Goods.Use(goods);
                Goods.Use(_discount);
                return weight + pieces;
            };
            pieces++;
            t.Local(pieces);
            t.Local(price);
            t.Local(goods);
            int packed = await pack(t.At());
            Goods.Use(price);
            Goods.Use(goods);
            return packed + pieces;
        }
    }
}
