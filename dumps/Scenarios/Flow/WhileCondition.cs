// The user must see the line of the `while` header and that of the `do` footer: the awaits stand in the conditions.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("await in the condition of while and of do-while")]
public static class WhileCondition
{
    public static Task Run(Trail t) => Task.WhenAll(
        QueueAsync(t.Fork("while"), 2),
        DrainAsync(t.Fork("do-while"), 2));

    private static async Task<int> QueueAsync(Trail t, int customers)
    {
        int served = 0;
        while (await IsSomebodyThereAsync(t.At(), served, customers))
        {
            served++;
        }
        return served;
    }

    private static async Task<int> DrainAsync(Trail t, int customers)
    {
        int served = 0;
        do
        {
            served++;
        }
        while (await IsSomebodyThereAsync(t.At(), served, customers));
        return served;
    }

    private static async Task<bool> IsSomebodyThereAsync(Trail t, int served, int customers)
    {
        await t.At().GateIf(served == customers);
        return served < customers;
    }
}
