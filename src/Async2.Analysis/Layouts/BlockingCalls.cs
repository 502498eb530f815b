namespace Async2.Analysis.Layouts;

/// <summary>What kind of thing a thread blocks on.</summary>
internal enum BlockingKind
{
    Unknown,
    MonitorEnter,
    MonitorWait,
    Lock,
    ReaderWriterLock,
    Semaphore,
    Event,
    Countdown,
    Barrier,
    BlockingCollection,
    WaitHandle,
    ThreadJoin,
    ThreadSleep,
    Finalizers,
    Socket,
    Sockets,
    Process,
    Callback,
    LockedDatabase,
    Task,
}

/// <summary>Methods of the framework in which threads block (.NET 10.0.12), by declaring type and the beginning of their name.</summary>
internal static class BlockingCalls
{
    /// <summary>In it a thread waits for an event, and not in the system.</summary>
    public const string WaitsForTurn = "PerformSyncOperation";

    /// <summary>End of the name of what all overloads of BlockingCollection call, those with a time limit and those without.</summary>
    public const string Shared = "WithNoTimeValidation";

    private static readonly (string Type, string Method, BlockingKind Kind)[] Table =
    [
        ("System.Threading.Monitor", "Wait", BlockingKind.MonitorWait),
        ("System.Threading.Monitor", "ObjWait", BlockingKind.MonitorWait),
        // The stub that calls the runtime, where the method was left out.
        ("System.Threading.Monitor", "<Wait>", BlockingKind.MonitorWait),
        ("System.Threading.Monitor", "", BlockingKind.MonitorEnter), // Enter, ReliableEnter, TryEnter and their slow paths
        ("System.Threading.Lock", "", BlockingKind.Lock),
        ("System.Threading.ReaderWriterLockSlim", "", BlockingKind.ReaderWriterLock),
        ("System.Threading.SemaphoreSlim", "", BlockingKind.Semaphore),
        ("System.Threading.ManualResetEventSlim", "", BlockingKind.Event),
        ("System.Threading.CountdownEvent", "", BlockingKind.Countdown),
        ("System.Threading.Barrier", "", BlockingKind.Barrier),
        ("System.Collections.Concurrent.BlockingCollection", "", BlockingKind.BlockingCollection),
        ("System.Threading.WaitHandle", "", BlockingKind.WaitHandle),
        ("System.Threading.Thread", "Join", BlockingKind.ThreadJoin),
        // The stub that calls the system.
        ("System.Threading.Thread", "<Join>", BlockingKind.ThreadJoin),
        ("System.Threading.Thread", "Sleep", BlockingKind.ThreadSleep),
        ("System.Threading.Thread", "UninterruptibleSleep", BlockingKind.ThreadSleep),
        ("System.GC", "WaitForPendingFinalizers", BlockingKind.Finalizers),
        ("System.GC", "_WaitForPendingFinalizers", BlockingKind.Finalizers),
        ("System.GC", "<_WaitForPendingFinalizers>", BlockingKind.Finalizers),
        // What handles ProcessExit runs on the thread of finalizers (ceemain.cpp, FinalizerThread::RaiseShutdownEvents).
        ("System.Environment", "Exit", BlockingKind.Finalizers),
        ("System.Environment", "_Exit", BlockingKind.Finalizers),
        ("System.Environment", "<_Exit>", BlockingKind.Finalizers),
        ("System.Net.Sockets.Socket", "Receive", BlockingKind.Socket),
        ("System.Net.Sockets.Socket", "Accept", BlockingKind.Socket),
        ("System.Net.Sockets.Socket", "Connect", BlockingKind.Socket),
        ("System.Net.Sockets.Socket", "Send", BlockingKind.Socket),
        ("System.Net.Sockets.Socket", "Poll", BlockingKind.Socket),
        ("System.Net.Sockets.Socket", "Select", BlockingKind.Sockets),
        // Of a call of Socket that was inlined, or left by a jump, this is what is on the stack.
        ("System.Net.Sockets.SocketPal", "Select", BlockingKind.Sockets),
        ("System.Net.Sockets.SocketPal", "", BlockingKind.Socket),
        // A call of Socket may be inlined into these; once a socket was used asynchronously, a call that is not waits here for its turn.
        ("System.Net.Sockets.NetworkStream", "Read", BlockingKind.Socket),
        ("System.Net.Sockets.NetworkStream", "Write", BlockingKind.Socket),
        ("System.Net.Sockets.SocketAsyncContext", WaitsForTurn, BlockingKind.Socket),
        ("System.Diagnostics.Process", "WaitForExit", BlockingKind.Process),
        // On Unix optimised code has the method before in its caller.
        ("System.Diagnostics.ProcessWaitState", "WaitForExit", BlockingKind.Process),
        ("System.Threading.CancellationTokenSource+Registrations", "WaitForCallbackToComplete", BlockingKind.Callback),
        // It sleeps between two tries. Only what blocks in it makes it a method that blocks.
        ("Microsoft.Data.Sqlite.SqliteDataReader", "NextResult", BlockingKind.LockedDatabase),
        ("System.Threading.Tasks.Task", "", BlockingKind.Task),
        ("System.Runtime.CompilerServices.TaskAwaiter", "", BlockingKind.Task),
    ];

    /// <summary>The method of a socket, or of its stream, waits until the other end takes something.</summary>
    public static bool Sends(string method) => method.Contains("Send", StringComparison.Ordinal) || method.StartsWith("Write", StringComparison.Ordinal) || method.Contains("Connect", StringComparison.Ordinal);

    /// <summary>The method of WaitHandle waits for several.</summary>
    public static bool IsForSeveral(string method) => method.StartsWith("WaitA", StringComparison.Ordinal) || method.Contains("Multiple", StringComparison.Ordinal);

    /// <summary>The kind, from the type's name with or without type arguments.</summary>
    public static BlockingKind Of(string type, string method)
    {
        string plain = type.Split('`', '<')[0];
        foreach ((string name, string prefix, BlockingKind kind) in Table)
        {
            if (plain == name && method.StartsWith(prefix, StringComparison.Ordinal))
                return kind;
        }
        return BlockingKind.Unknown;
    }
}
