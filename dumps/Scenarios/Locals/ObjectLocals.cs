// The user must see the types of objects, how many elements collections have, and what is in a box.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("objects, arrays, collections and boxed values")]
public static class ObjectLocals
{
    public static async Task Run(Trail t)
    {
        int sum = await StoreAsync(t.At(), Goods.Get<object>(42), Goods.Get<object>("text"), Goods.Get<object?>(null), Goods.Get(new int[3]));
        GC.KeepAlive(sum);
    }

    private static async Task<int> StoreAsync(Trail t, object boxed, object text, object? nothing, int[] counts)
    {
        List<string> goods = Goods.Get(new List<string> { "bread", "milk" });
        Dictionary<int, string> shelves = Goods.Get(new Dictionary<int, string> { [1] = "a", [2] = "b", [3] = "c" });
        shelves.Remove(2);
        object day = Goods.Get<object>(DayOfWeek.Friday);
        IReadOnlyList<int> list = Goods.Get<IReadOnlyList<int>>(new List<int>());
        Exception problem = Goods.Get<Exception>(new ScenarioException("spoiled"));
        string[] names = Goods.Get(new string[] { "Ada" });
        t.Local(boxed);
        t.Local(text);
        t.Local(nothing);
        t.Local(counts);
        t.Local(goods);
        t.Local(shelves);
        t.Local(day);
        t.Local(list);
        t.Local(problem);
        t.Local(names);
        await t.At().Gate;
        Goods.Use(boxed);
        Goods.Use(text);
        Goods.Use(nothing);
        Goods.Use(counts);
        Goods.Use(goods);
        Goods.Use(shelves);
        Goods.Use(day);
        Goods.Use(list);
        Goods.Use(problem);
        Goods.Use(names);
        return 1;
    }
}
