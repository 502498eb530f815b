namespace System.Runtime.CompilerServices;

/// <summary>What the runtime makes for each runtime-async method, so that other code can call it: runs it and hands out its task.</summary>
public static unsafe partial class RuntimeHelpers
{
    /// <summary>A method that returns something. It is called without anything in between: that would be one more frame.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Task<T> Start<TState, T>(Func<TState, T> method, TState state)
    {
        AsyncDataFrame frame = default;
        frame._createRuntimeMaintainedData = () => new RuntimeAsyncMaintainedData<T>();
        frame._next = t_asyncData;
        t_asyncData = &frame;
        T result = method(state);
        t_asyncData = frame._next;
        return frame._maintainedData is RuntimeAsyncMaintainedData<T> suspended ? (Task<T>)suspended.GetTask() : Task.FromResult(result);
    }

    /// <summary>A method that returns nothing.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Task Start<TState>(Action<TState> method, TState state)
    {
        AsyncDataFrame frame = default;
        frame._createRuntimeMaintainedData = () => new RuntimeAsyncMaintainedData();
        frame._next = t_asyncData;
        t_asyncData = &frame;
        method(state);
        t_asyncData = frame._next;
        return frame._maintainedData is { } suspended ? suspended.GetTask() : Task.CompletedTask;
    }

    /// <summary>As if its task were gone: nothing refers to the owner of what was suspended.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void StartAndForget<TState>(Action<TState> method, TState state)
    {
        AsyncDataFrame frame = default;
        frame._createRuntimeMaintainedData = () => new RuntimeAsyncMaintainedData();
        frame._next = t_asyncData;
        t_asyncData = &frame;
        method(state);
        t_asyncData = frame._next;
    }
}
