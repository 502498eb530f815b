// The user must see the awaits between two uses of spans: a span lives up to the await and a new one after it.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("spans and ref locals used between awaits")]
public static class SpanBetween
{
    public static Task Run(Trail t) => Task.WhenAll(
        ReadAsync(t.Fork("first"), 1),
        ReadAsync(t.Fork("second"), 2));

    private static async Task<int> ReadAsync(Trail t, int stop)
    {
        char[] code = ['4', '7', '1', '1'];
        Span<char> head = code.AsSpan(0, 2);
        head.Reverse();
        int first = await ScanAsync(t.At(), stop == 1);
        ref char last = ref code[^1];
        last = '2';
        ReadOnlySpan<char> tail = code.AsSpan(2);
        first += tail.Length;
        int second = await ScanAsync(t.At(), stop == 2);
        return first + second + code[0];
    }

    private static async Task<int> ScanAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }
}
