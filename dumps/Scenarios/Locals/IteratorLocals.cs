// The user must see the variables of an async iterator, which is a state machine in both builds.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("arguments and locals of an async iterator")]
public static class IteratorLocals
{
    public static async Task Run(Trail t)
    {
        int sum = 0;
        await foreach (string item in ItemsAsync(t.At(), Goods.Get("salt"), Goods.Get(2)))
        {
            sum += item.Length;
        }
        GC.KeepAlive(sum);
    }

    private static async IAsyncEnumerable<string> ItemsAsync(Trail t, string first, int count)
    {
        yield return first;
        for (int i = 0; i < count; i++)
        {
            string item = Goods.Get("item " + i);
            t.Local(first);
            t.Local(count);
            t.Local(i);
            t.Local(item);
            await t.At(kind: FrameKind.Iterator).GateIf(i == 1);
            yield return item + first;
        }
    }
}
