using System;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace Workloads.Classic;

/// <summary>One classic frame of the mixed workload: awaits whatever it is given, which is a runtime-async method.</summary>
public static class Relay
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> Through(Func<int, Task, Task<int>> next, int deeper, Task gate)
    {
        int below = await next(deeper, gate);
        return below + 1;
    }
}
