namespace Async2.Analysis.Waits.Resuming;

/// <summary>Where an operation will go on whose awaited task has completed.</summary>
/// <param name="Place">Address of the context, scheduler or list; 0 for the thread pool.</param>
/// <param name="Name">What it is: <c>SynchronizationContext UiContext</c>, <c>the thread pool</c>.</param>
internal sealed record Resumption(ulong Place, string Name)
{
    /// <summary>Managed ids of the threads that serve the place; empty when they are not known, or for the pool.</summary>
    public IReadOnlyList<int> Threads { get; init; } = [];

    /// <summary>Why the pool does not come to it; null when it is not known to be late.</summary>
    public string? Detail { get; init; }

    public bool IsPool => Place == 0;

    /// <summary>It stands in a list that a certain thread goes through.</summary>
    public bool IsThread { get; init; }
}
