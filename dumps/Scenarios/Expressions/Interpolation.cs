// The user must see the line of the interpolated string; the handler cannot live across an await, so the compiler
// spills the holes into locals first.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("awaits in the holes of an interpolated string")]
public static class Interpolation
{
    public static Task Run(Trail t) => Task.WhenAll(
        ReceiptAsync(t.Fork("first hole"), 1),
        ReceiptAsync(t.Fork("second hole"), 2));

    private static async Task<string> ReceiptAsync(Trail t, int stop)
    {
        string line = $"{await CountAsync(t.At(site: 1), stop == 1)} pieces, {await CountAsync(t.At(site: 2), stop == 2):N2} euros";
        return line.Trim();
    }

    private static async Task<int> CountAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 3;
    }
}
