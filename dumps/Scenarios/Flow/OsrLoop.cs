// The user must see the await behind or inside a loop that was replaced on the stack while it ran: the continuation then
// belongs to a body that starts in the middle of the method, with a Resume and a numbering of its own.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("awaits in a method that on-stack replacement took over in a hot loop")]
public static class OsrLoop
{
    // Far more than the patchpoint's patience of about 50,000 rounds.
    private const int Rounds = 200_000;

    public static Task Run(Trail t) => Task.WhenAll(
        CountThenReportAsync(t.Fork("after the loop")),
        ReportWhileCountingAsync(t.Fork("in the loop"), 150_000, 0),
        ReportWhileCountingAsync(t.Fork("in the loop, resumed before"), 150_000, 3));

    private static async Task<long> CountThenReportAsync(Trail t)
    {
        long stock = 0;
        for (int i = 0; i < Rounds; i++) stock += i % 7;
        await t.At().Step;
        for (int i = 0; i < Rounds; i++) stock -= i % 5;
        long reported = await ReportAsync(t.At(), stock);
        return reported + stock;
    }

    private static async Task<long> ReportWhileCountingAsync(Trail t, int stop, int steps)
    {
        long stock = 0;
        for (int i = 0; i < Rounds; i++)
        {
            stock += i % 3;
            if (i < steps) await t.At().Step;
            if (i != stop) continue;
            stock += await ReportAsync(t.At(), stock);
        }
        return stock;
    }

    private static async Task<long> ReportAsync(Trail t, long stock)
    {
        await t.At().Gate;
        return stock / 2;
    }
}
