namespace System.Runtime.CompilerServices;

/// <summary>
/// Looks like the experiment's class of this name in CoreLib, as far as a reader of memory can see: the same types, fields and
/// methods. What suspends here is captured for real and then returns instead of being unwound.
/// </summary>
public static unsafe partial class RuntimeHelpers
{
    [ThreadStatic]
    private static void* t_asyncData;

    /// <summary>What a thread knows about the runtime-async code on its stack; lies there, too.</summary>
    internal struct AsyncDataFrame
    {
        public RuntimeAsyncMaintainedData? _maintainedData;
        public StackCrawlMark _crawlMark;
        public void* _next;
        public Func<RuntimeAsyncMaintainedData> _createRuntimeMaintainedData;
    }

    internal enum StackCrawlMark
    {
        LookForMe,
        LookForMyCaller,
    }

    /// <summary>An await of the runtime-async code that calls: captures everything up to whoever started or resumed that code.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void AwaitAwaiterFromRuntimeAsync<TAwaiter>(TAwaiter awaiter)
        where TAwaiter : INotifyCompletion
    {
        StackCrawlMark mark = StackCrawlMark.LookForMe;
        Suspend(&mark);
        Suspended().SetAwaiter(awaiter);
    }

    /// <summary>The same without flow of the execution context, which plays no part here.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void UnsafeAwaitAwaiterFromRuntimeAsync<TAwaiter>(TAwaiter awaiter)
        where TAwaiter : ICriticalNotifyCompletion
    {
        StackCrawlMark mark = StackCrawlMark.LookForMe;
        Suspend(&mark);
        Suspended().SetAwaiter(awaiter);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Suspend(StackCrawlMark* mark)
    {
        var frame = (AsyncDataFrame*)t_asyncData;
        frame->_maintainedData ??= frame->_createRuntimeMaintainedData();
        frame->_maintainedData!.Capture(mark, frame);
    }

    // A method with several calls has a frame pointer, and its caller must have one.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static RuntimeAsyncMaintainedData Suspended() => ((AsyncDataFrame*)t_asyncData)->_maintainedData!;
}
