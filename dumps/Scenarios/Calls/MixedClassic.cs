// The user must see one stack through both worlds: a runtime-async method awaits a state machine, which awaits a
// runtime-async method again. In the classic build all of them are state machines.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("runtime-async and classic methods in one stack")]
public static class MixedClassic
{
    public static async Task Run(Trail t)
    {
        int price = await AskAsync(t.At());
        GC.KeepAlive(price);
    }

    private static async Task<int> AskAsync(Trail t)
    {
        int price = await LookUpAsync(t.At());
        return price + 1;
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task<int> LookUpAsync(Trail t)
    {
        int page = await TurnPageAsync(t.At(kind: FrameKind.Classic));
        return page + 1;
    }

    private static async Task<int> TurnPageAsync(Trail t)
    {
        int line = await ReadAsync(t.At());
        return line + 1;
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async ValueTask<int> ReadAsync(Trail t)
    {
        await t.At(kind: FrameKind.Classic).Gate;
        return 1;
    }
}
