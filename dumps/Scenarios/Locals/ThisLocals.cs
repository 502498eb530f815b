// The user must see the instance: an object by its type, a struct as the copy that its method works on.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("this of a class and of a struct")]
public static class ThisLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await new Till("north").CountAsync(t.At(), 3);
        GC.KeepAlive(sum);
    }

    private sealed class Till(string place)
    {
        public async Task<int> CountAsync(Trail t, int rounds)
        {
            var purse = new Purse { Coins = Goods.Get(5), Owner = Goods.Get("Ada") };
            t.Local(this);
            t.Local(rounds);
            int coins = await purse.CountAsync(t.At());
            Goods.Use(place);
            return coins + rounds;
        }
    }

    private struct Purse
    {
        public int Coins;
        public string Owner;

        public async Task<int> CountAsync(Trail t)
        {
            Coins++;
            t.Local(this);
            await t.At().Gate;
            Goods.Use(Coins);
            Goods.Use(Owner);
            return Coins;
        }
    }
}
