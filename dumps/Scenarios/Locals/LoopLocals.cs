// The user must see the variables of the round that waits, not those of the first.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("variables that change in every round of a loop, ref locals between")]
public static class LoopLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await AddAsync(t.At(), Goods.Get(4));
        GC.KeepAlive(sum);
    }

    private static async Task<int> AddAsync(Trail t, int rounds)
    {
        int[] prices = Goods.Get(new int[8]);
        long total = Goods.Get(100L);
        string last = "";
        for (int i = 0; i < rounds; i++)
        {
            ref int price = ref prices[i];
            price = i * 10;
            total += price;
            string goods = Goods.Get("goods " + i);
            t.Local(rounds);
            t.Local(prices);
            t.Local(total);
            t.Local(i);
            t.Local(goods);
            await t.At().GateIf(i == 3);
            last = goods;
            total += prices[i];
        }
        Goods.Use(last);
        return (int)total;
    }
}
