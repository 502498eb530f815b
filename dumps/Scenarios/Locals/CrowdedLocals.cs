// The user must see each of thirty variables with its own value: more than a processor has registers.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("thirty variables that all live over the await")]
public static class CrowdedLocals
{
    public static async Task Run(Trail t)
    {
        long sum = await AddAsync(t.At(), Goods.Get(1), Goods.Get(2L), Goods.Get((short)3), Goods.Get(4.5), Goods.Get("five"), Goods.Get((byte)6), Goods.Get(7), Goods.Get(8L), Goods.Get(9.5f), Goods.Get("ten"));
        GC.KeepAlive(sum);
    }

    private static async Task<long> AddAsync(Trail t, int a, long b, short c, double d, string e, byte f, int g, long h, float i, string j)
    {
        int small0 = Goods.Get(11);
        int small1 = Goods.Get(12);
        int small2 = Goods.Get(13);
        int small3 = Goods.Get(14);
        int small4 = Goods.Get(15);
        int small5 = Goods.Get(16);
        int small6 = Goods.Get(17);
        int small7 = Goods.Get(18);
        int small8 = Goods.Get(19);
        int small9 = Goods.Get(20);
        string text0 = Goods.Get("text 0");
        string text1 = Goods.Get("text 1");
        string text2 = Goods.Get("text 2");
        string text3 = Goods.Get("text 3");
        string text4 = Goods.Get("text 4");
        long large0 = Goods.Get(1L << 33);
        long large1 = Goods.Get(2L << 33);
        long large2 = Goods.Get(3L << 33);
        long large3 = Goods.Get(4L << 33);
        long large4 = Goods.Get(5L << 33);
        t.Local(a);
        t.Local(b);
        t.Local(c);
        t.Local(d);
        t.Local(e);
        t.Local(f);
        t.Local(g);
        t.Local(h);
        t.Local(i);
        t.Local(j);
        t.Local(small0);
        t.Local(small1);
        t.Local(small2);
        t.Local(small3);
        t.Local(small4);
        t.Local(small5);
        t.Local(small6);
        t.Local(small7);
        t.Local(small8);
        t.Local(small9);
        t.Local(text0);
        t.Local(text1);
        t.Local(text2);
        t.Local(text3);
        t.Local(text4);
        t.Local(large0);
        t.Local(large1);
        t.Local(large2);
        t.Local(large3);
        t.Local(large4);
        await t.At().Gate;
        Goods.Use(a);
        Goods.Use(b);
        Goods.Use(c);
        Goods.Use(d);
        Goods.Use(e);
        Goods.Use(f);
        Goods.Use(g);
        Goods.Use(h);
        Goods.Use(i);
        Goods.Use(j);
        Goods.Use(small0);
        Goods.Use(small1);
        Goods.Use(small2);
        Goods.Use(small3);
        Goods.Use(small4);
        Goods.Use(small5);
        Goods.Use(small6);
        Goods.Use(small7);
        Goods.Use(small8);
        Goods.Use(small9);
        Goods.Use(text0);
        Goods.Use(text1);
        Goods.Use(text2);
        Goods.Use(text3);
        Goods.Use(text4);
        Goods.Use(large0);
        Goods.Use(large1);
        Goods.Use(large2);
        Goods.Use(large3);
        Goods.Use(large4);
        return 1;
    }
}
