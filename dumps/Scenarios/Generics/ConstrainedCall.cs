// The user must see the struct's own method: the call goes through a type parameter without boxing.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("constrained call of an interface method on a struct")]
public static class ConstrainedCall
{
    private interface IScale
    {
        Task<int> WeighAsync(Trail t);
    }

    public static Task Run(Trail t) => Task.WhenAll(
        ReadAsync(t.Fork("struct"), new KitchenScale { Grams = 5 }),
        ReadAsync(t.Fork("class"), new TruckScale()));

    private static async Task<int> ReadAsync<TScale>(Trail t, TScale scale)
        where TScale : IScale
    {
        int grams = await scale.WeighAsync(t.At());
        return grams + 1;
    }

    private struct KitchenScale : IScale
    {
        public int Grams;

        public async Task<int> WeighAsync(Trail t)
        {
            await t.At().Gate;
            return Grams;
        }
    }

    private sealed class TruckScale : IScale
    {
        public async Task<int> WeighAsync(Trail t)
        {
            await t.At().Gate;
            return 1_000_000;
        }
    }
}
