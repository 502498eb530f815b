extern alias net11;

using net11::System.Runtime.CompilerServices;
using Net11Fixture.Support;
using AsyncHelpers = net11::System.Runtime.CompilerServices.AsyncHelpers;

namespace Net11Fixture;

/// <summary>Continuations that are on the heap and belong to no stack: cached, stale, garbage. One stack is there, and no other.</summary>
public static class Decoys
{
    public static void Start()
    {
        Chain real = Chain.Of(t => Shop.ServeAsync(t, 1));
        real.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        real.Record("real");

        // Cached for the thread's next suspension.
        AsyncHelpers.t_runtimeAsyncAwaitState.SentinelContinuation = new Continuation();
        AsyncHelpers.t_runtimeAsyncAwaitState.CachedTaskContinuation = new RuntimeAsyncTaskContinuation();
        AsyncHelpers.t_runtimeAsyncAwaitState.CachedValueTaskSourceContinuation = new AsyncHelpers.ValueTaskSourceContinuation();

        // Whole chains that no task leads to: nobody collected them yet.
        Chain garbage = Chain.Of(t => Shop.ServeAsync(t, 2));
        Truth.Keep(garbage.Continuations);
        TaskFields.StateObject(garbage.Task) = null;
        Complete(garbage.Task);

        // Of a task that has completed, should it still lead to them.
        Chain completed = Chain.Of(t => Shop.SendAsync(t, 3));
        Complete(completed.Task);

        // What was the callee of a method that is suspended elsewhere by now.
        Truth.Keep(new Continuation_8_0_1 { Next = real.Continuations[1], First = real.Task });
    }

    private static void Complete(Task task) => TaskFields.Flags(task) |= 0x1000000;
}
