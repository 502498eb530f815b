using System.Runtime.InteropServices;
using Async2.Analysis.Layouts;

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

    /// <summary>Where it ended: the segment's end, or the first object that is invalid.</summary>
    public ulong End { get; init; }
}

/// <summary>A task that has not completed, or a pooled box, as the walk over the heap finds it.</summary>
/// <param name="Address">The object.</param>
/// <param name="MethodTable">Of the object.</param>
/// <param name="StateObject">Its <c>m_stateObject</c>; 0 in a pooled box.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>; 0 in a pooled box.</param>
/// <param name="Kind">What it is.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct PendingObject(ulong Address, ulong MethodTable, ulong StateObject, ulong Awaiter, AsyncTypeKind Kind);
