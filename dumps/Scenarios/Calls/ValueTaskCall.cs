// The user must see methods that return ValueTask like those that return Task: one chain, no frame lost.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("a chain of methods that return ValueTask")]
public static class ValueTaskCall
{
    private static int packed;

    public static async Task Run(Trail t)
    {
        await PackAsync(t.At());
        packed++;
    }

    private static async ValueTask PackAsync(Trail t)
    {
        await FoldAsync(t.At());
        packed++;
    }

    private static async ValueTask FoldAsync(Trail t)
    {
        await new ValueTask(t.At().Gate);
        packed++;
    }
}
