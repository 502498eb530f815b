namespace Async2.Analysis.Layouts;

/// <summary>What a physical frame of the runtime does for async code.</summary>
internal enum FrameRole
{
    /// <summary>Nothing special.</summary>
    None,

    /// <summary>Resumes a chain of continuations; holds the ThunkTask and the resumed continuation.</summary>
    DrivesChain,

    /// <summary>The same in .NET 11: holds the chain's task, and an AsyncDispatcherInfo that leads to the resumed method's caller.</summary>
    DispatchesChain,

    /// <summary>Resumes a state machine; holds its box.</summary>
    DrivesStateMachine,

    /// <summary>Runs the delegate of a task; holds the task.</summary>
    DrivesTask,

    /// <summary>Blocks the thread until a task completes; holds the task.</summary>
    WaitsForTask,

    /// <summary>Blocks the thread until all of several tasks complete; holds what they count down.</summary>
    WaitsForTasks,

    /// <summary>Blocks the thread until something else happens.</summary>
    Blocks,

    /// <summary>Blocks the thread while it is in a system call.</summary>
    BlocksInSystem,

    /// <summary>Has a class initialized, or waits until another thread has.</summary>
    InitializesClass,

    /// <summary>Belongs to the machinery between user code and these: never shown as a frame.</summary>
    RuntimeInternal,
}

/// <summary>Methods of System.Private.CoreLib 10.0.12 by what they do for async code.</summary>
internal static class ResumptionMethods
{
    private const string RuntimeAsyncTask = "System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask`1";

    private static readonly Dictionary<(string Type, string Method), FrameRole> Exact = new()
    {
        [("System.Runtime.CompilerServices.AsyncHelpers+ThunkTaskCore", "MoveNext")] = FrameRole.DrivesChain,
        // .NET 11 (dotnet/runtime 005d4975): the second one while a profiler or debugger listens.
        [(RuntimeAsyncTask, "DispatchContinuations")] = FrameRole.DispatchesChain,
        [(RuntimeAsyncTask, "InstrumentedDispatchContinuations")] = FrameRole.DispatchesChain,
        [("System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1", "MoveNext")] = FrameRole.DrivesStateMachine,
        [("System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder`1+StateMachineBox`1", "MoveNext")] = FrameRole.DrivesStateMachine,
        // dotnet/runtimelab, feature/async2-experiment: holds the owner of the tasklets.
        [("System.Runtime.CompilerServices.RuntimeHelpers", "ResumptionFunc")] = FrameRole.DrivesStateMachine,
        [("System.Runtime.CompilerServices.RuntimeHelpers+RuntimeAsyncMaintainedData", "ResumptionFunc")] = FrameRole.DrivesStateMachine,
        [("System.Threading.Tasks.Task", "ExecuteWithThreadLocal")] = FrameRole.DrivesTask,
        [("System.Threading.Tasks.Task", "SpinThenBlockingWait")] = FrameRole.WaitsForTask,
        [("System.Threading.Tasks.Task", "InternalWaitCore")] = FrameRole.WaitsForTask,
        [("System.Threading.Tasks.Task", "InternalWait")] = FrameRole.WaitsForTask,
        [("System.Threading.Tasks.Task", "Wait")] = FrameRole.WaitsForTask,
        [("System.Threading.Tasks.Task`1", "GetResultCore")] = FrameRole.WaitsForTask,
        [("System.Threading.Tasks.Task`1", "get_Result")] = FrameRole.WaitsForTask,
        [("System.Runtime.CompilerServices.TaskAwaiter", "HandleNonSuccessAndDebuggerNotification")] = FrameRole.WaitsForTask,
        [("System.Threading.Tasks.Task", "WaitAll")] = FrameRole.WaitsForTasks,
        [("System.Threading.Tasks.Task", "WaitAllCore")] = FrameRole.WaitsForTasks,
        [("System.Threading.Tasks.Task", "WaitAllBlockingCore")] = FrameRole.WaitsForTasks,
        [("System.Runtime.CompilerServices.InitHelpers", "InitClassSlow")] = FrameRole.InitializesClass,
    };

    // Of types that block: the methods that do. Release and Dispose are over in no time, and so are WaitAsync and CreateAndAddAsyncWaiter.
    private static readonly string[] BlockingPrefixes = ["Wait", "Enter", "Sleep", "Join"];
    private const string NeverBlocks = "Async";

    private static readonly string[] InternalTypes =
    [
        "System.Runtime.CompilerServices.", "System.Threading.ExecutionContext", "System.Threading.Tasks.", "System.Threading.ThreadPool",
        "System.Threading.PortableThreadPool", "System.Threading.Thread+StartHelper", "System.Threading.QueueUserWorkItem",
    ];

    /// <summary>No user writes into this namespace: private builds of a runtime do, whatever assembly they put it in.</summary>
    public static bool IsOfRuntime(string type) => type.StartsWith(InternalTypes[0], StringComparison.Ordinal);

    /// <summary>The method resumes those who waited for a task, and holds the list of those whose turn has not come.</summary>
    public static bool ResumesWaiters(string type, string method) => (type, method) == ("System.Threading.Tasks.Task", "RunContinuations");

    /// <summary>The frame calls the operating system.</summary>
    public static bool IsSystemCall(string type) => type == "Interop+Sys";

    /// <param name="type">Declaring type as metadata spells it, outer types first, joined with +.</param>
    /// <param name="method">As metadata spells it.</param>
    public static FrameRole RoleOf(string type, string method)
    {
        if (Exact.TryGetValue((type, method), out FrameRole role))
            return role;
        BlockingKind kind = BlockingCalls.Of(type, method);
        if (kind is BlockingKind.Socket or BlockingKind.Sockets)
            return method == BlockingCalls.WaitsForTurn ? FrameRole.Blocks : FrameRole.BlocksInSystem;
        if (kind == BlockingKind.Finalizers)
            return FrameRole.Blocks;
        if (kind is not (BlockingKind.Unknown or BlockingKind.Task) && BlockingPrefixes.Any(w => method.Contains(w, StringComparison.Ordinal)) && !method.Contains(NeverBlocks, StringComparison.Ordinal))
            return FrameRole.Blocks;
        return InternalTypes.Any(t => type.StartsWith(t, StringComparison.Ordinal)) ? FrameRole.RuntimeInternal : FrameRole.None;
    }
}
