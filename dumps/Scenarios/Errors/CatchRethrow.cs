// The user must see the await in the catch block of the outer frame: the inner one awaited in its own catch block first,
// then threw the exception again, and is gone.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("an exception rethrown after an await, caught and awaited on one level up")]
public static class CatchRethrow
{
    public static async Task Run(Trail t)
    {
        int lost = await ShipAsync(t.At());
        GC.KeepAlive(lost);
    }

    private static async Task<int> ShipAsync(Trail t)
    {
        try
        {
            return await LoadAsync(t.At());
        }
        catch (IOException broken)
        {
            int parcels = await ReportAsync(t.At(), isLast: true);
            return parcels + broken.Message.Length;
        }
    }

    private static async Task<int> LoadAsync(Trail t)
    {
        try
        {
            await t.At().Step;
            throw new IOException("ramp broken");
        }
        catch (IOException)
        {
            int parcels = await ReportAsync(t.At(), isLast: false);
            GC.KeepAlive(parcels);
            throw;
        }
    }

    private static async Task<int> ReportAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 2;
    }
}
