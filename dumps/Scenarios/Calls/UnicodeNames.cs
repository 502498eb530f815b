// The user must see the names as they are written: Cyrillic, Greek, Japanese. The file name is ASCII.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("method names that are not ASCII")]
public static class UnicodeNames
{
    public static async Task Run(Trail t)
    {
        int рубли = await ПлатитьAsync(t.At());
        GC.KeepAlive(рубли);
    }

    private static async Task<int> ПлатитьAsync(Trail t)
    {
        int сдача = await ΠληρωμήAsync(t.At());
        return сдача + 1;
    }

    private static async Task<int> ΠληρωμήAsync(Trail t)
    {
        int 円 = await 支払うAsync(t.At());
        return 円 + 1;
    }

    private static async Task<int> 支払うAsync(Trail t)
    {
        await t.At().Gate;
        return 100;
    }
}
