// The user must see tuples in order, although the runtime lays them out in another.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("tuples of values and references")]
public static class TupleLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await BookAsync(t.At(), Goods.Get((5, "ledger")), Goods.Get(((byte)1, 2L, 'c')));
        GC.KeepAlive(sum);
    }

    private static async Task<int> BookAsync(Trail t, (int Page, string Book) entry, (byte Small, long Large, char Mark) mixed)
    {
        (string Goods, (int Pieces, double Price) Order) nested = Goods.Get(("salt", (3, 0.25)));
        t.Local(entry);
        t.Local(mixed);
        t.Local(nested);
        await t.At().Gate;
        Goods.Use(entry);
        Goods.Use(mixed);
        Goods.Use(nested);
        return 1;
    }
}
