namespace Async2.Analysis.Model;

/// <summary>The kind of thing that a stack or a thread waits for: one list for everything from reading objects to JSON.</summary>
public enum WaitKind
{
    /// <summary>Nothing is awaited, or it is unknown.</summary>
    None,

    /// <summary>A task.</summary>
    Task,

    /// <summary>A timer.</summary>
    Timer,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>A channel.</summary>
    Channel,

    /// <summary>One end of a pipe within the process.</summary>
    Pipe,

    /// <summary>A socket or another I/O operation.</summary>
    Socket,

    /// <summary>A connection pool without a free connection, or the thread pool.</summary>
    Pool,

    /// <summary>A lock held by a thread.</summary>
    Lock,

    /// <summary>An event, a countdown or a barrier.</summary>
    Event,

    /// <summary>A thread.</summary>
    Thread,

    /// <summary>The end of another process.</summary>
    Process,

    /// <summary>A value task source or a custom awaiter of the program.</summary>
    Custom,

    /// <summary>The operating system, in a call that a method outside of .NET made: a file, a console, a name server, a native library.</summary>
    Native,
}
