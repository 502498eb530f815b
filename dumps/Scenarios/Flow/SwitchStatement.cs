// The user must see the case that was taken, also for the cases that share a body and for the default.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("one stack per case of a switch statement")]
public static class SwitchStatement
{
    private enum Counter
    {
        Bread,
        Rolls,
        Cheese,
        Fish,
    }

    public static Task Run(Trail t) => Task.WhenAll(
        ServeAsync(t.Fork("rolls"), Counter.Rolls),
        ServeAsync(t.Fork("cheese"), Counter.Cheese),
        ServeAsync(t.Fork("default"), Counter.Fish));

    private static async Task<int> ServeAsync(Trail t, Counter counter)
    {
        int served = 0;
        switch (counter)
        {
            case Counter.Bread:
            case Counter.Rolls:
                served += await SliceAsync(t.At());
                break;
            case Counter.Cheese:
                served += 2 * await SliceAsync(t.At());
                break;
            default:
                served -= await SliceAsync(t.At());
                break;
        }
        return served;
    }

    private static async Task<int> SliceAsync(Trail t)
    {
        await t.At().Gate;
        return 4;
    }
}
