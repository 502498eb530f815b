using System.Globalization;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// N (200) chains that two threads resume all the time, some more often than others: each returns some frames, makes garbage, goes down again
/// and stops. Every frame carries the number of its chain, so whoever mixes two chains is found out. A task in the middle is
/// awaited as an object, so a stack is of two operations.
/// </summary>
public static class Churn
{
    private const int Threads = 2;

    private static TaskCompletionSource[] gates = [];
    private static long steps;

    public static void Start(int count)
    {
        gates = new TaskCompletionSource[count > 0 ? count : 200];
        for (int chain = 0; chain < gates.Length; chain++)
            Marks.Keep(ServeAsync(chain));
        for (int thread = 0; thread < Threads; thread++)
        {
            int first = thread;
            new Thread(() => Resume(first)) { IsBackground = true }.Start();
        }
    }

    /// <summary>How often a chain was resumed.</summary>
    public static string Steps() => Interlocked.Read(ref steps).ToString(CultureInfo.InvariantCulture);

    private static void Resume(int first)
    {
        for (long pass = 0; ; pass++)
        {
            for (int chain = first; chain < gates.Length; chain += Threads)
            {
                // The first ones all the time, the last ones seldom: whoever reads this meets both.
                if (pass % (1 + (long)chain * chain) != 0)
                    continue;
                gates[chain].SetResult();
                Interlocked.Increment(ref steps);
            }
        }
    }

    private static async Task ServeAsync(int chain)
    {
        for (int round = 0; ; round++)
        {
            Task<int> order = OrderAsync(chain, round);
            int used = await order;
            Use(chain, used);
        }
    }

    private static async Task<int> OrderAsync(int chain, int round)
    {
        int used = await DescendAsync(chain, 1 + round % 4);
        Use(chain, used);
        return used;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> DescendAsync(int chain, int deeper)
    {
        byte[] garbage = new byte[64 + chain];
        int used = deeper == 0 ? await RestAsync(chain) : await DescendAsync(chain, deeper - 1);
        Use(chain, used);
        used += await RestAsync(chain);
        Use(chain, garbage.Length);
        return used;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> RestAsync(int chain)
    {
        var gate = new TaskCompletionSource();
        gates[chain] = gate;
        await gate.Task;
        Use(chain, 0);
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use(int chain, int value) => GC.KeepAlive(gates[chain] ?? (object)value);
}
