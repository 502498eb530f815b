namespace Async2.Analysis.Model;

/// <summary>Counts over the whole target, whatever was filtered or cut for display.</summary>
/// <param name="Stacks">Logical stacks, not coalesced.</param>
/// <param name="Frames">Frames of all these stacks.</param>
/// <param name="Groups">Distinct stacks.</param>
public sealed record SnapshotTotals(long Stacks, long Frames, int Groups)
{
    /// <summary>How many of the stacks are idle loops of a framework, such as Kestrel's: connections on which nothing happens.</summary>
    public long Idle { get; init; }
}

/// <summary>What filters let through.</summary>
/// <param name="Filter">The filters as one types them, <c>--method Pay</c>.</param>
/// <param name="Totals">Counts over the stacks that match, whatever was cut for display.</param>
public sealed record MatchingTotals(string Filter, SnapshotTotals Totals);
