namespace Async2.Analysis.Model;

/// <summary>The kind of thing that a stack or a thread waits for: the one list of them, from the reading of objects to the JSON form.</summary>
public enum WaitKind
{
    /// <summary>Nothing is awaited, or it could not be told.</summary>
    None,

    /// <summary>A task.</summary>
    Task,

    /// <summary>A timer.</summary>
    Timer,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>A channel.</summary>
    Channel,

    /// <summary>One end of a pipe of the process's own.</summary>
    Pipe,

    /// <summary>A socket or another I/O operation.</summary>
    Socket,

    /// <summary>A pool of connections that has none to give, or the pool of threads.</summary>
    Pool,

    /// <summary>A lock held by a thread.</summary>
    Lock,

    /// <summary>An event, a countdown or a barrier: what somebody sets.</summary>
    Event,

    /// <summary>A thread.</summary>
    Thread,

    /// <summary>The end of another process.</summary>
    Process,

    /// <summary>A value task source or an awaiter of the program's own.</summary>
    Custom,
}
