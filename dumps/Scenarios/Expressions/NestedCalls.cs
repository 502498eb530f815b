// The user must see three stacks on one and the same line, told apart by the callee: the arguments are awaited from left
// to right, the outer call comes last.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("await A(await B(), await C()) on one line")]
public static class NestedCalls
{
    public static Task Run(Trail t) => Task.WhenAll(
        SendAsync(t.Fork("first argument"), 1),
        SendAsync(t.Fork("second argument"), 2),
        SendAsync(t.Fork("outer call"), 3));

    private static async Task<int> SendAsync(Trail t, int stop)
    {
        int parcel = await PackAsync(await PickAsync(t.At(site: 1), stop == 1), await WrapAsync(t.At(site: 2), stop == 2), t.At(site: 3), stop == 3);
        return parcel + 1;
    }

    private static async Task<int> PickAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }

    private static async Task<int> WrapAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 2;
    }

    private static async Task<int> PackAsync(int goods, int paper, Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return goods + paper;
    }
}
