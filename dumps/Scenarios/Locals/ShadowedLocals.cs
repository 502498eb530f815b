// The user must see the variable of the scope that waits: others have the same name, and maybe the same place.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("variables of the same name in neighbouring scopes")]
public static class ShadowedLocals
{
    public static Task Run(Trail t) => Task.WhenAll(
        SellAsync(t.Fork("first"), 1),
        SellAsync(t.Fork("second"), 2),
        SellAsync(t.Fork("third"), 3));

    private static async Task<int> SellAsync(Trail t, int stop)
    {
        int sum = Goods.Get(1);
        {
            int price = Goods.Get(10);
            string goods = Goods.Get("bread");
            t.Local(price);
            t.Local(goods);
            t.Local(sum);
            await t.At().GateIf(stop == 1);
            Goods.Use(goods);
            sum += price;
        }
        {
            string price = Goods.Get("twenty");
            int goods = Goods.Get(20);
            t.Local(price);
            t.Local(goods);
            t.Local(sum);
            await t.At().GateIf(stop == 2);
            Goods.Use(price);
            sum += goods;
        }
        for (int goods = Goods.Get(30); goods < 31; goods++)
        {
            string price = Goods.Get("thirty");
            t.Local(price);
            t.Local(goods);
            t.Local(sum);
            await t.At().GateIf(stop == 3);
            Goods.Use(price);
            sum += goods;
        }
        return sum + stop;
    }
}
