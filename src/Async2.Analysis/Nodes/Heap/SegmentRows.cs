namespace Async2.Analysis.Nodes.Heap;

/// <summary>What a walk over one segment of the heap found, in address order.</summary>
internal sealed record SegmentRows
{
    /// <summary>Where it began.</summary>
    public ulong FirstAddress { get; init; }

    /// <summary>Addresses of the continuations.</summary>
    public ulong[] Continuations { get; init; } = [];

    /// <summary>Their <c>Next</c>.</summary>
    public ulong[] Next { get; init; } = [];

    /// <summary>Numbers of their sites.</summary>
    public int[] Sites { get; init; } = [];

    public PendingObject[] Pending { get; init; } = [];

    /// <summary>Objects that are waited for without being pointed to.</summary>
    public ulong[] Resources { get; init; } = [];

    /// <summary>Async objects that do not lie in the target's memory as a whole.</summary>
    public ulong[] Cut { get; init; } = [];

    /// <summary>Objects of any kind.</summary>
    public long Objects { get; init; }

    /// <summary>Objects whose type has no name.</summary>
    public long Nameless { get; init; }

    /// <summary>Where it ended: the segment's end, or the first object that makes no sense.</summary>
    public ulong End { get; init; }
}
