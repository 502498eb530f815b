// The user must see the generic method, whose code string and object share: the instantiation is a hidden argument.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("generic methods over reference types, shared code")]
public static class GenericMethodRef
{
    public static Task Run(Trail t) => Task.WhenAll(
        SellAsync(t.Fork("string"), "bread"),
        SellAsync(t.Fork("list"), new List<int> { 1, 2 }));

    private static async Task<T> SellAsync<T>(Trail t, T goods)
        where T : class
    {
        T sold = await WrapAsync(t.At(), goods);
        return sold ?? goods;
    }

    private static async Task<T> WrapAsync<T>(Trail t, T goods)
    {
        await t.At().Gate;
        GC.KeepAlive(typeof(T));
        return goods;
    }
}
