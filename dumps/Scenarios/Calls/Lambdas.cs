// The user must see a lambda under the name of the method that holds it: one that captures nothing, one with a closure,
// and one inside the other. The truth names the method that holds them.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("async lambdas: static, capturing, nested")]
public static class Lambdas
{
    public static Task Run(Trail t) => Task.WhenAll(
        StaticAsync(t.Fork("static")),
        CapturingAsync(t.Fork("capturing"), 3),
        NestedAsync(t.Fork("nested"), 4));

    private static async Task<int> StaticAsync(Trail t)
    {
        Func<Trail, Task<int>> weigh = static async inner =>
        {
            await inner.At().Gate;
            return 1;
        };
        int grams = await weigh(t.At());
        return grams + 1;
    }

    private static async Task<int> CapturingAsync(Trail t, int pieces)
    {
        Func<Trail, Task<int>> pack = async inner =>
        {
            pieces++;
            await inner.At().Gate;
            return pieces;
        };
        int packed = await pack(t.At());
        return packed + pieces;
    }

    private static async Task<int> NestedAsync(Trail t, int pieces)
    {
        Func<Trail, Task<int>> outer = async middle =>
        {
            Func<Trail, Task<int>> wrap = async inner =>
            {
                await inner.At().Gate;
                return pieces;
            };
            int wrapped = await wrap(middle.At());
            return wrapped + 1;
        };
        int sold = await outer(t.At());
        return sold + pieces;
    }
}
