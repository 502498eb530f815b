// The user must see the iterator as a frame of its own between the leaf and the method with the `await foreach`, on the
// line where the iterator awaits. Iterators stay state machines in a runtime-async build. The `await foreach` line holds
// two awaits: MoveNextAsync is the first, DisposeAsync the second.
using Scenarios.Support;

namespace Scenarios.Streams;

[Scenario("await foreach that waits for the iterator's third element")]
public static class ForeachMoveNext
{
    public static async Task Run(Trail t)
    {
        int sum = await AddUpAsync(t.At());
        GC.KeepAlive(sum);
    }

    private static async Task<int> AddUpAsync(Trail t)
    {
        int sum = 0;
        await foreach (int boxes in ShelvesAsync(t.At(site: 1)))
        {
            sum += boxes;
        }
        return sum;
    }

    private static async IAsyncEnumerable<int> ShelvesAsync(Trail t)
    {
        yield return await CountAsync(t.At(kind: FrameKind.Iterator), isLast: false);
        yield return 2;
        int last = await CountAsync(t.At(kind: FrameKind.Iterator), isLast: true);
        yield return last;
    }

    private static async Task<int> CountAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }
}
