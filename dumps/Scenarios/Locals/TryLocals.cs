// The user must see the variables of try, catch and finally blocks while they wait, and those around them.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("variables in try, catch and finally")]
public static class TryLocals
{
    public static Task Run(Trail t) => Task.WhenAll(
        SellAsync(t.Fork("try"), 1, Goods.Get("bread")),
        SellAsync(t.Fork("catch"), 2, Goods.Get("milk")),
        SellAsync(t.Fork("finally"), 3, Goods.Get("salt")));

    private static async Task<int> SellAsync(Trail t, int stop, string goods)
    {
        long total = Goods.Get(10L);
        try
        {
            int tried = Goods.Get(7);
            t.Local(goods);
            t.Local(total);
            t.Local(tried);
            t.Local(stop);
            await t.At().GateIf(stop == 1);
            total += tried;
            if (stop == 2) throw new ScenarioException("sold out");
        }
        catch (ScenarioException e)
        {
            string why = Goods.Get("because");
            t.Local(goods);
            t.Local(total);
            t.Local(why);
            t.Local(stop);
            await t.At().GateIf(stop == 2);
            Goods.Use(why);
            Goods.Use(e);
        }
        finally
        {
            int cleared = Goods.Get(9);
            t.Local(goods);
            t.Local(total);
            t.Local(cleared);
            t.Local(stop);
            await t.At().GateIf(stop == 3);
            total += cleared;
            Goods.Use(goods);
        }
        return (int)total + stop;
    }
}
