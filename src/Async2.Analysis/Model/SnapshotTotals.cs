namespace Async2.Analysis.Model;

/// <summary>Counts over the whole target, independent of filters and limits.</summary>
/// <param name="Stacks">Logical stacks, not coalesced.</param>
/// <param name="Frames">Frames of all these stacks.</param>
/// <param name="Groups">Distinct stacks.</param>
public sealed record SnapshotTotals(long Stacks, long Frames, int Groups)
{
    /// <summary>Number of stacks that are idle loops of a framework, such as Kestrel's: connections on which nothing happens.</summary>
    public long Idle { get; init; }
}

/// <summary>The stacks that match the filters.</summary>
/// <param name="Filter">The filters as typed, <c>--method Pay</c>.</param>
/// <param name="Totals">Counts over the stacks that match, independent of limits.</param>
public sealed record MatchingTotals(string Filter, SnapshotTotals Totals);
