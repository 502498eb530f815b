using System.Runtime.InteropServices;

namespace Async2.Analysis.Model.Graph;

/// <summary>One edge of a model's graph.</summary>
/// <param name="From">Number of the node that waits, is held, is a part, runs, or goes on.</param>
/// <param name="To">Number of the node that it leads to.</param>
/// <param name="Kind">What the two have to do with each other.</param>
/// <param name="Source">How that is known.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct Edge(int From, int To, EdgeKind Kind, EdgeSource Source);

/// <summary>What two nodes have to do with each other.</summary>
public enum EdgeKind : byte
{
    /// <summary>It goes on when the other operation, combinator or task is done.</summary>
    Awaits,

    /// <summary>It goes on when somebody acts on a resource: releases, sets, writes; of a thread: when what it blocks for is done.</summary>
    BlockedOn,

    /// <summary>The resource is held by this thread, as its owner; or by this operation, which has acquired it and will release it.</summary>
    HeldBy,

    /// <summary>One of those that a combinator such as WhenAll waits for.</summary>
    PartOf,

    /// <summary>An operation executes on this stretch of a thread's stack; a stretch belongs to this thread; a context is served by it.</summary>
    RunsOn,

    /// <summary>When what it awaits is done, it goes on in this context, scheduler, thread, or in the thread pool.</summary>
    ResumesOn,

    /// <summary>The timer, socket or thread that ends the wait by itself, at the latest.</summary>
    CompletedBy,
}

/// <summary>How an edge is known: which fact of memory it rests on. Where memory has none, there is no edge.</summary>
public enum EdgeSource : byte
{
    /// <summary>The awaited task names the waiter: in <c>m_continuationObject</c>, or in the list that stands there.</summary>
    ContinuationObject,

    /// <summary>The waiter keeps what it awaits, in a saved reference or awaiter; the awaited object names nobody.</summary>
    SavedAwaiter,

    /// <summary>A field of the awaited object leads there: a promise's timer, the socket of an operation, the pipe of a reader.</summary>
    Field,

    /// <summary>The waiter stands in the resource's own queue: of a semaphore, a channel, a pool of connections.</summary>
    WaitQueue,

    /// <summary>Frames and objects on the stack of a thread: what resumed them, what a blocking call was given.</summary>
    ThreadStack,

    /// <summary>The runtime or the lock notes the owner: an object's header, <c>Lock</c>, <c>ReaderWriterLockSlim</c>, a class initializer.</summary>
    OwnerRecord,

    /// <summary>It stands in the queue of the thread pool, of a context, or in the list of waiters that a thread resumes.</summary>
    WorkQueue,

    /// <summary>The context or scheduler that was captured at the await: saved by the method, or in what the awaited task will invoke.</summary>
    CapturedContext,

    /// <summary>Several facts together say it, and none alone: a context that is a copy of a thread's, or that leads to it.</summary>
    Inferred,

    /// <summary>The holder's code has acquired it on every way to the await where it stands, and releases it behind that.</summary>
    AcquiredByCode,

    /// <summary>The holder's code has acquired it on some ways to the await, and releases it behind that.</summary>
    PerhapsAcquiredByCode,

    /// <summary>The holder's code releases it behind the await; what acquired it is elsewhere.</summary>
    ReleasedByCode,
}
