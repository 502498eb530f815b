namespace Async2.Analysis.Stacks;

/// <summary>The family of thing that a stack waits for.</summary>
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

    /// <summary>A socket or another I/O operation.</summary>
    Socket,

    /// <summary>A lock held by a thread.</summary>
    Lock,

    /// <summary>A thread.</summary>
    Thread,

    /// <summary>An awaiter of the program's own.</summary>
    Custom,

    /// <summary>A worker of the thread pool.</summary>
    Pool,
}
