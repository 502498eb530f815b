// The user must see the fields of structs: the runtime saves their references apart from the rest.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("structs with references, nested ones and large ones")]
public static class StructLocals
{
    private struct Line
    {
        public string Goods;
        public int Pieces;
        public string? Note;
    }

    private struct Order
    {
        public long Number;
        public Line First;
        public Line Second;
        public Guid Id;
    }

    private readonly record struct Names(string First, string Last);

    private readonly record struct Point(short X, short Y);

    public static async Task Run(Trail t)
    {
        var line = new Line { Goods = "salt", Pieces = 4 };
        int sum = await PackAsync(t.At(), Goods.Get(line), Goods.Get(new Names("Ada", "Lovelace")), Goods.Get(new Point(-1, 2)));
        GC.KeepAlive(sum);
    }

    private static async Task<int> PackAsync(Trail t, Line line, Names names, Point place)
    {
        Order order = Goods.Get(new Order { Number = 77, First = line, Second = line with { Note = "fresh" }, Id = new Guid(1, 2, 3, [4, 5, 6, 7, 8, 9, 10, 11]) });
        t.Local(line);
        t.Local(names);
        t.Local(place);
        t.Local(order);
        await t.At().Gate;
        Goods.Use(line);
        Goods.Use(names);
        Goods.Use(place);
        Goods.Use(order);
        return 1;
    }
}
