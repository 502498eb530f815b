using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace Situations;

/// <summary>
/// N (200) chains that two threads resume all the time, and a record of what each is doing, outside of the heap: whoever reads the program at one moment has both. What a chain
/// waits for is as old as the program, or made each time.
/// </summary>
public static class Recorded
{
    private const int Threads = 2;
    private const int StepsAtOnce = 50;
    private const int Deepest = 4;

    // For each chain the number of its round, times two; one more while it rests in it.
    private static nint record;
    private static readonly List<object> Ballast = [];
    private static TaskCompletionSource[] gates = [];
    private static SemaphoreSlim[] permits = [];
    private static Channel<int>[] channels = [];

    public static void Start(int count)
    {
        count = count > 0 ? count : 200;
        record = Allocate(count);
        gates = new TaskCompletionSource[count];
        permits = [.. Enumerable.Range(0, count).Select(_ => new SemaphoreSlim(0))];
        channels = [.. Enumerable.Range(0, count).Select(_ => Channel.CreateUnbounded<int>())];
        for (int chain = 0; chain < count; chain++)
        {
            // Chains lie among what has nothing to do with them, as they do in a server.
            Ballast.AddRange(Enumerable.Range(0, 500).Select(i => new byte[i]));
            Marks.Keep(ServeAsync(chain));
        }
        // What is alive now is old.
        for (int i = 0; i < 2; i++)
            GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
        for (int thread = 0; thread < Threads; thread++)
        {
            int seed = thread;
            new Thread(() => Resume(new Random(seed), count)) { IsBackground = true }.Start();
        }
    }

    /// <summary>Where the record is.</summary>
    public static string Address() => record.ToString(CultureInfo.InvariantCulture);

    private static void Resume(Random random, int count)
    {
        while (true)
        {
            for (int i = 0; i < StepsAtOnce; i++)
            {
                int chain = random.Next(count);
                if (GoesOn(chain))
                    Release(chain);
            }
            Thread.Sleep(1);
        }
    }

    private static void Release(int chain)
    {
        if (chain % 3 == 0)
            gates[chain].SetResult();
        else if (chain % 3 == 1)
            permits[chain].Release();
        else
            channels[chain].Writer.TryWrite(chain);
    }

    private static async Task ServeAsync(int chain)
    {
        for (long round = 1; ; round++)
            Use(await DescendAsync(chain, round, (int)(round % Deepest)), chain);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<long> DescendAsync(int chain, long round, int deeper)
    {
        byte[] garbage = new byte[500];
        long rested = deeper == 0 ? await RestAsync(chain, round) : await DescendAsync(chain, round, deeper - 1);
        Use(rested, garbage.Length);
        return round;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<long> RestAsync(int chain, long round)
    {
        if (chain % 3 == 0)
        {
            var gate = new TaskCompletionSource();
            gates[chain] = gate;
            Rest(chain, round);
            await gate.Task;
        }
        else if (chain % 3 == 1)
        {
            Rest(chain, round);
            await permits[chain].WaitAsync();
        }
        else
        {
            Rest(chain, round);
            Use(await channels[chain].Reader.ReadAsync(), chain);
        }
        Use(round, chain);
        return round;
    }

    private static unsafe nint Allocate(int count) => (nint)NativeMemory.AllocZeroed((nuint)count, sizeof(long));

    private static unsafe void Rest(int chain, long round) => Volatile.Write(ref ((long*)record)[chain], round * 2 + 1);

    // Only one of the threads may let a chain go on that rests.
    private static unsafe bool GoesOn(int chain)
    {
        ref long place = ref ((long*)record)[chain];
        long now = Volatile.Read(ref place);
        return now % 2 == 1 && Interlocked.CompareExchange(ref place, now + 1, now) == now;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use(long one, int other) => GC.KeepAlive(one + other);
}
