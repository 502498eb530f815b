// The user must see the statement that holds the switch expression, whichever arm awaits; `site` tells the arm. All arms
// stand on the statement's first line, because a PDB cannot tell the line of an arm that awaits: the compiler spills the
// await in front of the arm's own sequence point, so that the last visible one belongs to the arm above.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("one stack per arm of a switch expression")]
public static class SwitchExpression
{
    public static Task Run(Trail t) => Task.WhenAll(
        PriceAsync(t.Fork("kilo"), 'k'),
        PriceAsync(t.Fork("piece"), 'p'),
        PriceAsync(t.Fork("gift"), 'g'));

    private static async Task<int> PriceAsync(Trail t, char by)
    {
        int price = by switch { 'k' => await AskAsync(t.At(site: 1)), 'p' => 1 + await AskAsync(t.At(site: 2)), _ => -await AskAsync(t.At(site: 3)) };
        return price * 2;
    }

    private static async Task<int> AskAsync(Trail t)
    {
        await t.At().Gate;
        return 9;
    }
}
