namespace Async2.Analysis.Nodes;

/// <summary>What a walk over one segment of the heap found: columns, in address order, each in a few parts.</summary>
internal sealed record SegmentRows
{
    /// <summary>Where it began.</summary>
    public ulong FirstAddress { get; init; }

    /// <summary>Addresses of the continuations.</summary>
    public ColumnPart<ulong>[] Continuations { get; init; } = [];

    /// <summary>Their <c>Next</c>.</summary>
    public ColumnPart<ulong>[] Next { get; init; } = [];

    /// <summary>Numbers of their sites.</summary>
    public ColumnPart<int>[] Sites { get; init; } = [];

    /// <summary>Addresses of those that saved a context or scheduler to go on there.</summary>
    public ColumnPart<ulong>[] Capturing { get; init; } = [];

    public ColumnPart<PendingObject>[] Pending { get; init; } = [];

    /// <summary>Tasks that are kept because somebody asked for them.</summary>
    public ColumnPart<TaskRow>[] Tasks { get; init; } = [];

    /// <summary>Objects that are waited for without being pointed to.</summary>
    public ColumnPart<ulong>[] Resources { get; init; } = [];

    /// <summary>Async objects that do not lie in the target's memory as a whole.</summary>
    public ColumnPart<ulong>[] Cut { get; init; } = [];

    /// <summary>Objects of any kind.</summary>
    public long Objects { get; init; }

    /// <summary>Objects whose type has no name.</summary>
    public long Nameless { get; init; }

    /// <summary>Where it ended: the segment's end, or the first object that makes no sense.</summary>
    public ulong End { get; init; }
}
