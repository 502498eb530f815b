// The user must see strings as C# would write them: cut when long, and no character that a terminal obeys.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("strings with quotes, line ends, control characters and letters of the world")]
public static class StringLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await PrintAsync(t.At(), Goods.Get("bread"), Goods.Get<string?>(null), Goods.Get(new string('x', 250)));
        GC.KeepAlive(sum);
    }

    private static async Task<int> PrintAsync(Trail t, string goods, string? note, string label)
    {
        string quoted = Goods.Get("\"fresh\"\r\n\tdaily\\");
        string control = Goods.Get("\0\u001b[31mred\u0007\u202e");
        string world = Goods.Get("\u0445\u043b\u0435\u0431 \ud83c\udf5e");
        string broken = Goods.Get("half \ud83c");
        string empty = Goods.Get("");
        t.Local(goods);
        t.Local(note);
        t.Local(label);
        t.Local(quoted);
        t.Local(control);
        t.Local(world);
        t.Local(broken);
        t.Local(empty);
        await t.At().Gate;
        Goods.Use(goods);
        Goods.Use(note);
        Goods.Use(label);
        Goods.Use(quoted);
        Goods.Use(control);
        Goods.Use(world);
        Goods.Use(broken);
        Goods.Use(empty);
        return 1;
    }
}
