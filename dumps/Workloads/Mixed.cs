using System.Runtime.CompilerServices;
using Workloads.Classic;

namespace Workloads;

/// <summary>Chains whose frames are runtime-async and classic in turn; the innermost is runtime-async.</summary>
public static class Mixed
{
    private static readonly Func<int, Task, Task<int>> Next = Link;
    private static readonly TaskCompletionSource Gate = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static Task<int>[] started = [];

    public static long Start(int count, int depth)
    {
        int pairs = (depth + 1) / 2;
        started = new Task<int>[count];
        for (int i = 0; i < count; i++) started[i] = Link(pairs - 1, Gate.Task);
        return (long)count * (2 * pairs - 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> Link(int deeper, Task gate)
    {
        if (deeper == 0)
        {
            await gate;
            return 0;
        }
        int below = await Relay.Through(Next, deeper - 1, gate);
        return below + 1;
    }
}
