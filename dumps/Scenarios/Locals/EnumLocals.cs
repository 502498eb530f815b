// The user must see enums by the names of their members, flags as several, and what has no name as a number.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("enums as arguments and locals")]
public static class EnumLocals
{
    [Flags]
    private enum Care : byte
    {
        None = 0,
        Cool = 1,
        Upright = 2,
        Fragile = 4,
    }

    private enum Grade : long
    {
        Poor = -1,
        Fine = 1L << 40,
    }

    public static async Task Run(Trail t)
    {
        int sum = await PackAsync(t.At(), Goods.Get(DayOfWeek.Monday), Goods.Get(Care.Cool | Care.Fragile));
        GC.KeepAlive(sum);
    }

    private static async Task<int> PackAsync(Trail t, DayOfWeek day, Care care)
    {
        Care none = Goods.Get(Care.None);
        Grade poor = Goods.Get(Grade.Poor);
        Grade fine = Goods.Get(Grade.Fine);
        DayOfWeek never = Goods.Get((DayOfWeek)9);
        t.Local(day);
        t.Local(care);
        t.Local(none);
        t.Local(poor);
        t.Local(fine);
        t.Local(never);
        await t.At().Gate;
        Goods.Use(day);
        Goods.Use(care);
        Goods.Use(none);
        Goods.Use(poor);
        Goods.Use(fine);
        Goods.Use(never);
        return 1;
    }
}
