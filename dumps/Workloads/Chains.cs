using System.Runtime.CompilerServices;

namespace Workloads;

/// <summary>Equal chains of nested awaits, all of them waiting for one task.</summary>
public static class Chains
{
    // A chain one million deep is built by one million nested calls, before the innermost await suspends them all.
    private const int BigStack = int.MaxValue;

    // The tasks are what keeps the chains alive: the source is reachable from them only.
    private static readonly List<Task<int>> Started = [];
    private static readonly TaskCompletionSource Gate = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public static long Start(int count, int depth)
    {
        for (int i = 0; i < count; i++) StartOne(depth);
        return (long)count * depth;
    }

    public static long StartDeep(int depth)
    {
        var thread = new Thread(() => StartOne(depth), BigStack);
        thread.Start();
        thread.Join();
        return depth;
    }

    public static void StartOne(int depth) => Started.Add(Link(depth - 1, Gate.Task));

    // The result is used after the await, so that no JIT may turn it into a tail await and drop the frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> Link(int deeper, Task gate)
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
