extern alias net11;

using System.Runtime.CompilerServices;
using net11::System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>What a task's waiter was in previews of .NET 11, and what it is while its profiler is on.</summary>
public static class Older
{
    public static void Start()
    {
        // The chain's task itself.
        Chain ofTask = Chain.Of(t => Shop.SendAsync(t, 1));
        TaskFields.AddWaiter(ofTask.Await(Truth.Keep(new TaskCompletionSource<int>()).Task, isRegistered: false).Task!, ofTask.Task);
        ofTask.Record("task as waiter");

        // The action of the chain's task.
        Chain ofAction = Chain.Of(t => Shop.SendAsync(t, 2)), awaited = Chain.Of(t => Shop.ServeAsync(t, 3));
        TaskFields.AddWaiter(awaited.Task, TaskFields.Action(ofAction.Task)!);
        ofAction.Await(awaited.Task, isRegistered: false);
        awaited.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        awaited.Record("action as waiter", ofAction.Frames);

        // A wrapper around a classic method's box.
        Trail above = new();
        Chain inner = Chain.Of(t => Shop.SendAsync(t, 4));
        inner.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        Task<int> box = Truth.Keep(WatchedAsync(above, inner.Task));
        TaskFields.ContinuationObject(inner.Task) = new AsyncStateMachineDispatcher(box);
        inner.Record("wrapped box", above.Frames);
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task<int> WatchedAsync(Trail t, Task<int> chain)
    {
        int value = await Noted(t.At(), chain);
        return value + 1;
    }

    private static Task<int> Noted(Trail t, Task<int> chain)
    {
        GC.KeepAlive(t);
        return chain;
    }
}
