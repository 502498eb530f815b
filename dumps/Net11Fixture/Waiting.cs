using System.Runtime.CompilerServices;
using System.Threading.Channels;
using System.Threading.Tasks.Sources;
using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>Chains that are suspended, one for each kind of thing that can be awaited.</summary>
public static class Waiting
{
    public static void Start()
    {
        OfTask();
        OfSource();
        OfChannel();
        OfCompleted();
        OfAwaiter();
    }

    private static void OfTask()
    {
        var arrival = Truth.Keep(new TaskCompletionSource<int>());
        Chain first = Chain.Of(t => Shop.ServeAsync(t, 3)), second = Chain.Of(t => Shop.SendAsync(t, 4));
        first.Await(arrival.Task);
        first.Record("task");
        second.Await(arrival.Task);
        second.Record("the same task");
    }

    private static void OfSource()
    {
        Chain chain = Chain.Of(t => Shop.CountAsync(t, 5));
        var source = Truth.Keep(new Parcel());
        chain.AwaitSource(source, source.Version);
        source.OnCompleted(Dispatched, chain.Task, source.Version, ValueTaskSourceOnCompletedFlags.None);
        chain.Record("source");
    }

    private static void OfChannel()
    {
        Chain chain = Chain.Of(t => Shop.CountAsync(t, 6));
        Channel<int> orders = Truth.Keep(Channel.CreateUnbounded<int>());
        ValueTask<int> next = orders.Reader.ReadAsync();
        var source = (IValueTaskSource<int>)ObjectOf(ref next);
        chain.AwaitSource(source, TokenOf(ref next));
        source.OnCompleted(Dispatched, chain.Task, TokenOf(ref next), ValueTaskSourceOnCompletedFlags.None);
        chain.Record("channel");
    }

    private static void OfCompleted()
    {
        Chain chain = Chain.Of(t => Shop.SendAsync(t, 7));
        chain.Await(Truth.Keep(Task.FromResult(1)), isRegistered: false);
        chain.Record("scheduled");
    }

    // The awaiter is a struct in the continuation's data; what is left of it is what it refers to.
    private static void OfAwaiter()
    {
        Chain chain = Chain.Of(t => Shop.RingAsync(t, 8));
        chain.Continuations[0].First = new TaskCompletionSource().Task;
        chain.Continuations[0].Second = new Bell { OnRing = (Action)TaskFields.Action(chain.Task)! };
        chain.Record("awaiter");
    }

    // ThreadPool.s_dispatchRuntimeAsyncContinuationsCallback.
    private static void Dispatched(object? task)
    {
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_obj")]
    private static extern ref object ObjectOf(ref ValueTask<int> task);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_token")]
    private static extern ref short TokenOf(ref ValueTask<int> task);
}


/// <summary>A value task's source that is no task.</summary>
public sealed class Parcel : IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> _core;

    public short Version => _core.Version;

    public int GetResult(short token) => _core.GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _core.OnCompleted(continuation, state, token, flags);
}
