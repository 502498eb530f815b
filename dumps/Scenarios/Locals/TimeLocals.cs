// The user must see dates, times and ids as such, not as the numbers they are made of.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("dates, times and ids as arguments and locals")]
public static class TimeLocals
{
    public static async Task Run(Trail t)
    {
        var id = new Guid(5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        int sum = await ShipAsync(t.At(), Goods.Get(DateTime.UnixEpoch.AddDays(5.5)), Goods.Get(id), Goods.Get(TimeSpan.FromMinutes(90)));
        GC.KeepAlive(sum);
    }

    private static async Task<int> ShipAsync(Trail t, DateTime ordered, Guid id, TimeSpan due)
    {
        DateTimeOffset printed = Goods.Get(new DateTimeOffset(2026, 3, 1, 12, 30, 0, TimeSpan.FromHours(2)));
        DateOnly day = Goods.Get(new DateOnly(2026, 12, 24));
        TimeOnly opens = Goods.Get(new TimeOnly(8, 30));
        DateTime plain = Goods.Get(new DateTime(2026, 1, 2, 3, 4, 5));
        t.Local(ordered);
        t.Local(id);
        t.Local(due);
        t.Local(printed);
        t.Local(day);
        t.Local(opens);
        t.Local(plain);
        await t.At().Gate;
        Goods.Use(ordered);
        Goods.Use(id);
        Goods.Use(due);
        Goods.Use(printed);
        Goods.Use(day);
        Goods.Use(opens);
        Goods.Use(plain);
        return 1;
    }
}
