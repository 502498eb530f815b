// The user must see what T is: a string in code that references share, an int in code of its own.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("variables of generic classes and methods, over int and over string")]
public static class GenericLocals
{
    public static Task Run(Trail t) => Task.WhenAll(
        new Shelf<string>("bread").TakeAsync(t.Fork("class string"), Goods.Get("milk")),
        new Shelf<int>(7).TakeAsync(t.Fork("class int"), Goods.Get(8)),
        SellAsync(t.Fork("method string"), Goods.Get("salt"), Goods.Get("sugar")),
        SellAsync(t.Fork("method int"), Goods.Get(1), Goods.Get(2)));

    private sealed class Shelf<T>(T first)
    {
        public async Task<int> TakeAsync(Trail t, T goods)
        {
            T other = Goods.Get(first);
            KeyValuePair<T, int> counted = Goods.Get(new KeyValuePair<T, int>(goods, 3));
            t.Local(this);
            t.Local(goods);
            t.Local(other);
            t.Local(counted);
            await t.At().Gate;
            Goods.Use(goods);
            Goods.Use(other);
            Goods.Use(counted);
            Goods.Use(this);
            return 1;
        }
    }

    private static async Task<int> SellAsync<T>(Trail t, T goods, T gift)
    {
        List<T> basket = Goods.Get(new List<T> { goods, gift });
        t.Local(goods);
        t.Local(gift);
        t.Local(basket);
        await t.At().Gate;
        Goods.Use(goods);
        Goods.Use(gift);
        Goods.Use(basket);
        return 1;
    }
}
