// The user must see the header while the resource is opened, and the body's line while it is held.
using Scenarios.Support;

namespace Scenarios.Streams;

[Scenario("await in the header of a using statement, and in its body")]
public static class UsingHeader
{
    public static Task Run(Trail t) => Task.WhenAll(
        ReadAsync(t.Fork("header"), isInHeader: true),
        ReadAsync(t.Fork("body"), isInHeader: false));

    private static async Task<int> ReadAsync(Trail t, bool isInHeader)
    {
        int bytes = 0;
        using (MemoryStream ledger = await OpenAsync(t.At(), isInHeader))
        {
            bytes += await CountAsync(t.At(), ledger);
        }
        return bytes;
    }

    private static async Task<MemoryStream> OpenAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return new MemoryStream([1, 2, 3]);
    }

    private static async Task<int> CountAsync(Trail t, MemoryStream ledger)
    {
        await t.At().Gate;
        return (int)ledger.Length;
    }
}
