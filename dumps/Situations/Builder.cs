using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Methods of a method builder of our own, which keeps state machines in objects that are not tasks, and uses them again.</summary>
public static class Builder
{
    private static readonly TaskCompletionSource Gate = new();

    public static void Start(int count)
    {
        // Over before anybody looks: one object waits to be used again, another one is garbage or not.
        Marks.Keep(CallAsync(ReturnAsync()));
        Marks.Keep(ReturnAsync());
        Marks.Keep(CallAsync(OuterAsync()));
        Marks.Keep(AloneAsync(""));
        Thread.Sleep(300);
    }

    private static async Task CallAsync(Later call)
    {
        await call.At("call");
        GC.KeepAlive(Gate);
    }

    private static async Later OuterAsync()
    {
        await InnerAsync().At("outer");
        GC.KeepAlive(Gate);
    }

    private static async Later InnerAsync()
    {
        await Task.Yield();
        await Gate.Task.At("inner");
        GC.KeepAlive(Gate);
    }

    private static async Later AloneAsync<T>(T argument)
    {
        await Gate.Task.At("alone");
        GC.KeepAlive(argument);
    }

    private static async Later ReturnAsync()
    {
        await Task.Yield();
        GC.KeepAlive(Gate);
    }
}

/// <summary>What such a method returns.</summary>
[AsyncMethodBuilder(typeof(LaterBuilder))]
public readonly struct Later(LaterSource? source)
{
    private readonly LaterSource? _source = source;

    public Awaiter GetAwaiter() => new(this);

    public readonly struct Awaiter(Later later) : ICriticalNotifyCompletion
    {
        private readonly Later _later = later;

        public bool IsCompleted => _later._source?.IsDone != false;

        public void GetResult()
        {
        }

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) => _later._source!.OnDone(continuation);
    }
}

/// <summary>Completes a <see cref="Later"/>.</summary>
public abstract class LaterSource
{
    private Action? _continuation;

    public bool IsDone { get; private set; }

    public void OnDone(Action continuation)
    {
        if (Interlocked.CompareExchange(ref _continuation, continuation, null) is not null)
            continuation();
    }

    protected void Complete()
    {
        IsDone = true;
        Interlocked.Exchange(ref _continuation, () => { })?.Invoke();
    }

    public abstract void End();
}

/// <summary>Keeps a state machine while its method is suspended.</summary>
public sealed class LaterRunner<TMachine> : LaterSource
    where TMachine : IAsyncStateMachine
{
    private readonly Action _moveNext;
    private TMachine? _suspended;

    public LaterRunner() => _moveNext = () => _suspended!.MoveNext();

    public Action MoveNext(TMachine machine)
    {
        _suspended = machine;
        return _moveNext;
    }

    // As a pool does.
    public override void End()
    {
        _suspended = default;
        Complete();
    }
}

/// <summary>Builds methods that return <see cref="Later"/>.</summary>
public struct LaterBuilder
{
    private LaterSource? _runner;

    public readonly Later Task => new(_runner);

    public static LaterBuilder Create() => default;

    public readonly void Start<TMachine>(ref TMachine machine)
        where TMachine : IAsyncStateMachine
        => machine.MoveNext();

    public readonly void SetStateMachine(IAsyncStateMachine machine)
    {
    }

    public readonly void SetResult() => _runner?.End();

    public readonly void SetException(Exception exception) => Environment.FailFast(exception.Message);

    public void AwaitOnCompleted<TAwaiter, TMachine>(ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : INotifyCompletion
        where TMachine : IAsyncStateMachine
        => awaiter.OnCompleted(Suspend(ref machine));

    public void AwaitUnsafeOnCompleted<TAwaiter, TMachine>(ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : ICriticalNotifyCompletion
        where TMachine : IAsyncStateMachine
        => awaiter.UnsafeOnCompleted(Suspend(ref machine));

    private Action Suspend<TMachine>(ref TMachine machine)
        where TMachine : IAsyncStateMachine
    {
        var runner = _runner as LaterRunner<TMachine> ?? new LaterRunner<TMachine>();
        _runner = runner;
        return runner.MoveNext(machine);
    }
}
