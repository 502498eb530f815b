namespace Async2.Analysis.Model.Graph;

/// <summary>What a node of a model is.</summary>
public enum AsyncNodeKind
{
    /// <summary>A task of runtime-async with its chain of continuations.</summary>
    RuntimeAsync,

    /// <summary>A chain of tasklets of the async2 experiment.</summary>
    Tasklet,

    /// <summary>A box of a compiler-made state machine.</summary>
    StateMachine,

    /// <summary>The same of a pooling ValueTask builder.</summary>
    Pooled,

    /// <summary>One frame of an async of F#.</summary>
    FSharpAsync,

    /// <summary>Frames of a thread that belong to one logical stack.</summary>
    ThreadSegment,

    /// <summary>A task that waits for several, such as WhenAll.</summary>
    Combinator,

    /// <summary>A task without async code of its own.</summary>
    Task,

    /// <summary>What is waited for and is not an operation: a semaphore, lock, channel, event, timer, socket, pool, or a promise that somebody completes.</summary>
    Resource,

    /// <summary>Where operations go on: a SynchronizationContext, a TaskScheduler, the thread pool.</summary>
    Context,

    /// <summary>A thread.</summary>
    Thread,
}

/// <summary>The nodes of a model in columns: operations, then segments of threads, then combinators, then plain tasks.</summary>
internal sealed class NodeTable
{
    /// <summary>The object behind each node; 0 for segments of threads.</summary>
    public required ulong[] Addresses { get; init; }

    public required AsyncNodeKind[] Kinds { get; init; }

    /// <summary>Of each operation, where its chain begins in the frames' objects; -1 for none.</summary>
    public required int[] Heads { get; init; }

    /// <summary>Managed id of the thread of each segment.</summary>
    public required int[] Threads { get; init; }

    /// <summary>How many nodes come before the first segment.</summary>
    public int Operations => Heads.Length;

    public int Count => Addresses.Length;

    /// <summary>Managed id of the thread of a node; null unless it is a segment.</summary>
    public int? ThreadOf(int node) => node >= Operations && node < Operations + Threads.Length ? Threads[node - Operations] : null;
}
