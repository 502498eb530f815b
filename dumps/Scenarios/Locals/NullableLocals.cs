// The user must see what a nullable holds, or null.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("nullables with and without a value")]
public static class NullableLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await SellAsync(t.At(), Goods.Get<int?>(17), Goods.Get<int?>(null), Goods.Get<DayOfWeek?>(DayOfWeek.Friday));
        GC.KeepAlive(sum);
    }

    private static async Task<int> SellAsync(Trail t, int? voucher, int? discount, DayOfWeek? day)
    {
        DateTime? shipped = Goods.Get<DateTime?>(null);
        decimal? price = Goods.Get<decimal?>(1.50m);
        bool? isPaid = Goods.Get<bool?>(true);
        t.Local(voucher);
        t.Local(discount);
        t.Local(day);
        t.Local(shipped);
        t.Local(price);
        t.Local(isPaid);
        await t.At().Gate;
        Goods.Use(voucher);
        Goods.Use(discount);
        Goods.Use(day);
        Goods.Use(shipped);
        Goods.Use(price);
        Goods.Use(isPaid);
        return 1;
    }
}
