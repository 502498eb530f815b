namespace Async2.Analysis.Reachability;

/// <summary>How something that is waited for can be brought about.</summary>
internal enum GateKind
{
    /// <summary>By anything that reaches it: a semaphore, a channel, a pipe.</summary>
    Resource,

    /// <summary>By what can complete a plain promise: its TaskCompletionSource.</summary>
    Promise,

    /// <summary>By so many tasks that have it as their continuation: Task.WhenAll.</summary>
    Combinator,
}

/// <summary>
/// A wait whose waiters can do nothing before it ends: what they alone refer to is out of everybody's reach until something else has
/// reached what they wait for.
/// </summary>
/// <param name="Kind">How it ends.</param>
/// <param name="Awaited">Address of what is waited for: the promise, the semaphore, the channel.</param>
internal sealed record WaitGate(GateKind Kind, ulong Awaited)
{
    /// <summary>Tasks that have to complete.</summary>
    public int Needed { get; init; } = 1;

    /// <summary>Other objects by which it can be ended: a waiter's entry in a queue, which a token's registration may know.</summary>
    public HashSet<ulong> Entries { get; } = [];

    /// <summary>Objects of the waiting operations: their tasks, boxes, and innermost frames.</summary>
    public HashSet<ulong> Waiters { get; } = [];
}
