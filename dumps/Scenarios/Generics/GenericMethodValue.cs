// The user must see the generic method at the same lines for each value type, though each has code of its own, with the
// argument in the continuation's bytes.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("generic methods over int, Guid and a big struct, own code each")]
public static class GenericMethodValue
{
    public static Task Run(Trail t) => Task.WhenAll(
        SellAsync(t.Fork("int"), 42),
        SellAsync(t.Fork("Guid"), Guid.Empty),
        SellAsync(t.Fork("big struct"), new Pallet { First = 1, Second = 2, Third = 3, Fourth = default, Label = "salt" }));

    private static async Task<T> SellAsync<T>(Trail t, T goods)
        where T : struct
    {
        T sold = await WrapAsync(t.At(), goods);
        return sold.Equals(goods) ? sold : goods;
    }

    private static async Task<T> WrapAsync<T>(Trail t, T goods)
    {
        await t.At().Gate;
        return goods;
    }

    private struct Pallet
    {
        public long First;
        public decimal Second;
        public decimal Third;
        public Guid Fourth;
        public string Label;
    }
}
