// The user must see arguments and locals of all built-in types with their values.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("arguments and locals of all built-in types, by name")]
public static class PrimitiveLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await IntegersAsync(t.At(), Goods.Get((byte)200), Goods.Get((sbyte)-7), Goods.Get((short)-300), Goods.Get((ushort)60000), Goods.Get(-5), Goods.Get(5u), 9);
        GC.KeepAlive(sum);
    }

    private static async Task<int> IntegersAsync(Trail t, byte shelf, sbyte degrees, short lane, ushort port, int debt, uint pieces, int spare)
    {
        long grams = Goods.Get(1L << 40);
        ulong stars = Goods.Get(ulong.MaxValue);
        nint handle = Goods.Get((nint)(-12));
        nuint mask = Goods.Get((nuint)12);
        t.Local(shelf);
        t.Local(degrees);
        t.Local(lane);
        t.Local(port);
        t.Local(debt);
        t.Local(pieces);
        t.Local(spare);
        t.Local(grams);
        t.Local(stars);
        t.Local(handle);
        t.Local(mask);
        int more = await OthersAsync(t.At(), Goods.Get(1.5f), Goods.Get(-1.0 / 3), Goods.Get(0.19m), Goods.Get('q'), Goods.Get(true));
        Goods.Use(shelf + degrees + lane + port + debt + spare);
        Goods.Use(pieces);
        Goods.Use(grams);
        Goods.Use(stars);
        Goods.Use(handle);
        Goods.Use(mask);
        return more + 1;
    }

    private static async Task<int> OthersAsync(Trail t, float discount, double price, decimal tax, char aisle, bool isPaid)
    {
        double endless = Goods.Get(double.PositiveInfinity);
        float nothing = Goods.Get(float.NaN);
        char quote = Goods.Get('\'');
        bool isOpen = Goods.Get(false);
        t.Local(discount);
        t.Local(price);
        t.Local(tax);
        t.Local(aisle);
        t.Local(isPaid);
        t.Local(endless);
        t.Local(nothing);
        t.Local(quote);
        t.Local(isOpen);
        await t.At().Gate;
        Goods.Use(discount);
        Goods.Use(price);
        Goods.Use(tax);
        Goods.Use(aisle);
        Goods.Use(quote);
        Goods.Use(endless);
        Goods.Use(nothing);
        Goods.Use(isPaid ^ isOpen);
        return 1;
    }
}
