// The user must see the third await of the source. Before it stand one that C# removes (const), one that only the
// optimising JIT removes (static readonly, known to be false once the class is initialised) and one that stays.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("awaits behind const and static readonly conditions that never hold")]
public static class ConstantBranches
{
    private const bool IsSale = false;
    private static readonly bool IsHoliday = Environment.ProcessorCount < 0;

    public static async Task Run(Trail t)
    {
        int sold = await OpenAsync(t.At());
        GC.KeepAlive(sold);
    }

    private static async Task<int> OpenAsync(Trail t)
    {
        int sold = 0;
#pragma warning disable CS0162 // Unreachable on purpose.
        if (IsSale) sold += await SellAsync(t.At());
#pragma warning restore CS0162
        if (IsHoliday) sold += await SellAsync(t.At());
        sold += await SellAsync(t.At());
        if (IsHoliday) sold += await SellAsync(t.At());
        return sold;
    }

    private static async Task<int> SellAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
