// The user must see sixty equal frames in a row, none dropped and none added.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("recursion sixty frames deep")]
public static class DeepRecursion
{
    public static async Task Run(Trail t)
    {
        int boxes = await OpenAsync(t.At(), 60);
        GC.KeepAlive(boxes);
    }

    private static async Task<int> OpenAsync(Trail t, int left)
    {
        if (left == 1)
        {
            await t.At().Gate;
            return 1;
        }
        int inner = await OpenAsync(t.At(), left - 1);
        return inner + 1;
    }
}
