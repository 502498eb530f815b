// The user must see a local function under its own name or that of its method: static, with a closure struct passed by
// reference turned into a class by the await, and generic. The truth names the method that holds them.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("async local functions: static, capturing, generic, recursive")]
public static class LocalFunctions
{
    public static Task Run(Trail t) => Task.WhenAll(
        StaticAsync(t.Fork("static")),
        CapturingAsync(t.Fork("capturing"), 2),
        RecursiveAsync(t.Fork("recursive"), 3));

    private static async Task<int> StaticAsync(Trail t)
    {
        int grams = await WeighAsync<string>(t.At());
        return grams + 1;

        static async Task<int> WeighAsync<T>(Trail inner)
        {
            await inner.At().Gate;
            return typeof(T).Name.Length;
        }
    }

    private static async Task<int> CapturingAsync(Trail t, int pieces)
    {
        int packed = await PackAsync(t.At());
        return packed + pieces;

        async Task<int> PackAsync(Trail inner)
        {
            pieces++;
            await inner.At().Gate;
            return pieces;
        }
    }

    private static async Task<int> RecursiveAsync(Trail t, int depth)
    {
        return 1 + await OpenBoxAsync(t.At(), depth);

        async Task<int> OpenBoxAsync(Trail inner, int left)
        {
            if (left > 0) return 1 + await OpenBoxAsync(inner.At(), left - 1);
            await inner.At().Gate;
            return depth;
        }
    }
}
