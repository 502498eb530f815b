// The user must see the right line although the JIT threw the branches of the other types away: in the code for int only
// one of the IL's awaits exists, so states cannot be counted in IL.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("typeof(T) branches that the JIT removes per instantiation")]
public static class DeadBranches
{
    public static Task Run(Trail t) => Task.WhenAll(
        WeighAsync<byte>(t.Fork("byte")),
        WeighAsync<int>(t.Fork("int")),
        WeighAsync<Guid>(t.Fork("Guid")),
        WeighAsync<string>(t.Fork("string")));

    private static async Task<int> WeighAsync<T>(Trail t)
    {
        int grams = 0;
        if (typeof(T) == typeof(byte))
        {
            grams += await ReadScaleAsync(t.At(), 1);
        }
        if (typeof(T) == typeof(int))
        {
            grams += await ReadScaleAsync(t.At(), 4);
        }
        if (typeof(T) == typeof(Guid))
        {
            grams += await ReadScaleAsync(t.At(), 16);
        }
        if (!typeof(T).IsValueType)
        {
            grams += await ReadScaleAsync(t.At(), 8);
        }
        return grams;
    }

    private static async Task<int> ReadScaleAsync(Trail t, int size)
    {
        await t.At().Gate;
        return size;
    }
}
