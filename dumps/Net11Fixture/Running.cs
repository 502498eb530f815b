extern alias net11;

using System.Runtime.CompilerServices;
using net11::System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>Chains whose innermost method is executed by a thread: their tasks no longer lead to them, only the thread does.</summary>
public static class Running
{
    private static int waiting;

    public static void Start()
    {
        Run("running", setsTask: false, Of(t => new Till().OpenAsync(t)), new Till().CountAsync);
        Run("running, its task is known", setsTask: true, Of(t => new Till().OpenAsync(t)), new Till().CountAsync);
        // The outermost method is resumed: nothing comes next.
        Run("running, outermost", setsTask: false, Of(t => new Till().CountAsync(t)), new Till().CountAsync);
        // Somebody waits for it.
        Chain running = Of(t => new Till().OpenAsync(t)), waiter = Chain.Of(t => Shop.SendAsync(t, 1));
        waiter.Await(running.Task);
        Run("running, awaited", setsTask: false, running, new Till().CountAsync, waiter.Frames);
        while (Volatile.Read(ref waiting) > 0)
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    // What was its continuation still leads to its caller, and is not to be found.
    private static Chain Of(Func<Trail, Task> outermost)
    {
        Chain chain = Chain.Of(outermost);
        Truth.Keep(chain.Continuations[0]);
        return chain;
    }

    private static void Run(string name, bool setsTask, Chain chain, Func<Task> resumed, params IEnumerable<TruthFrame>[] callers)
    {
        waiting++;
        TaskFields.StateObject(chain.Task) = null;
        Continuation? next = chain.Continuations.Length > 1 ? chain.Continuations[1] : null;
        IEnumerable<TruthFrame> physical = [new(nameof(Spin), "Running.cs", 0), chain.Frames[0] with { Line = 0 }];
        Truth.Add(name, physical.Concat(chain.Frames.Skip(1)).Concat(callers.SelectMany(c => c)));
        new Thread(() => chain.Task.DispatchContinuations(resumed, next, setsTask ? chain.Task : null)) { IsBackground = true }.Start();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Spin()
    {
        Interlocked.Decrement(ref waiting);
        // In managed code only: of a thread that is inside the runtime's own native code the DAC finds no frames.
        while (Volatile.Read(ref waiting) > -1)
        {
        }
        return waiting;
    }

    private sealed class Till
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public async Task<int> OpenAsync(Trail t)
        {
            int counted = await CountAsync(t.At());
            GC.KeepAlive(this);
            return counted + 1;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public async Task<int> CountAsync(Trail t)
        {
            int sum = await t.Hold().Task;
            GC.KeepAlive(this);
            return sum;
        }

        /// <summary>The same method where it goes on.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        public async Task<int> CountAsync()
        {
            int sum = Spin();
            await Task.Yield();
            return sum;
        }
    }
}
