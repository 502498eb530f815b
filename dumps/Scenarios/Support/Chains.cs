using System.Runtime.CompilerServices;

namespace Scenarios.Support;

/// <summary>The big workload: equal chains of nested awaits, all of them waiting for one task.</summary>
public static class Chains
{
    // The tasks are what keeps the chains alive: the source is reachable from them only.
    private static Task<int>[] started = [];

    public static void Start(int chains, int depth)
    {
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        started = new Task<int>[chains];
        for (int i = 0; i < chains; i++) started[i] = Link(depth - 1, gate.Task);
    }

    // The result is used after the await, so that no JIT may turn it into a tail await and drop the frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static async Task<int> Link(int deeper, Task gate)
    {
        if (deeper == 0)
        {
            await gate;
            return 0;
        }
        int below = await Link(deeper - 1, gate);
        return below + 1;
    }
}
