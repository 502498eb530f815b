// The user must see the `await foreach` line at its second, implicit await (DisposeAsync), and the iterator's finally
// block: `break` leaves the loop, and the iterator cleans up before the method goes on.
using Scenarios.Support;

namespace Scenarios.Streams;

[Scenario("leaving await foreach early waits in the finally block of the iterator")]
public static class ForeachDispose
{
    public static async Task Run(Trail t)
    {
        int boxes = await FirstAsync(t.At());
        GC.KeepAlive(boxes);
    }

    private static async Task<int> FirstAsync(Trail t)
    {
        int first = 0;
        await foreach (int boxes in ShelvesAsync(t.At(site: 2)))
        {
            first = boxes;
            break;
        }
        return first;
    }

    private static async IAsyncEnumerable<int> ShelvesAsync(Trail t)
    {
        int closed = 0;
        try
        {
            yield return 1;
            yield return 2;
        }
        finally
        {
            closed += await CloseAsync(t.At(kind: FrameKind.Iterator));
        }
        GC.KeepAlive(closed);
    }

    private static async Task<int> CloseAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
