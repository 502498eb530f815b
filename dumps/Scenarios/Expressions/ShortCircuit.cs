// The user must see the operand that is being awaited on the right of &&, || and ??, which run only when they must.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("awaits on both sides of &&, || and ??")]
public static class ShortCircuit
{
    public static Task Run(Trail t) => Task.WhenAll(
        IsOpenAsync(t.Fork("left of &&"), 1),
        IsOpenAsync(t.Fork("right of &&"), 2),
        IsOpenAsync(t.Fork("right of ||"), 3),
        IsOpenAsync(t.Fork("right of ??"), 5));

    private static async Task<bool> IsOpenAsync(Trail t, int stop)
    {
        bool isOpen = await AskAsync(t.At(site: 1), stop == 1) && !await AskAsync(t.At(site: 2), stop == 2) || await AskAsync(t.At(site: 3), stop == 3);
        string hours = await HoursAsync(t.At(site: 4), null, stop == 4) ?? await HoursAsync(t.At(site: 5), "9-18", stop == 5) ?? "never";
        return isOpen && hours.Length > 0;
    }

    private static async Task<bool> AskAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return true;
    }

    private static async Task<string?> HoursAsync(Trail t, string? hours, bool isLast)
    {
        await t.At().GateIf(isLast);
        return hours;
    }
}
