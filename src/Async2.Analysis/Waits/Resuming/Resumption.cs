using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>Where an operation will go on whose awaited task has completed.</summary>
/// <param name="Place">Address of the context, scheduler or list; 0 for the thread pool.</param>
/// <param name="Name">What a context or scheduler is: <c>SynchronizationContext UiContext</c>; null for the pool and for a list.</param>
internal sealed record Resumption(ulong Place, string? Name)
{
    /// <summary>Managed ids of the threads that serve the place; empty when they are not known, or for the pool.</summary>
    public IReadOnlyList<int> Threads { get; init; } = [];

    /// <summary>That these threads serve it is not noted in one place: their contexts are copies of it, or it leads to them.</summary>
    public bool IsInferred { get; init; }

    /// <summary>Something is queued there, and nobody comes to it.</summary>
    public bool HasNobody { get; init; }

    /// <summary>All of these threads have to come back before it goes on; otherwise one is enough.</summary>
    public bool NeedsAll { get; init; }

    /// <summary>How it is known that the operation goes on there.</summary>
    public EdgeSource Source { get; init; } = EdgeSource.WorkQueue;

    /// <summary>Why the pool does not come to it: busy workers, and what is queued; empty if it is not known to be late.</summary>
    public ImmutableArray<WaitFact> Late { get; init; } = [];

    public bool IsPool => Place == 0;

    /// <summary>It stands in a list that a certain thread goes through.</summary>
    public bool IsThread { get; init; }
}
