namespace Async2.Analysis.Snapshots;

/// <summary>Counts over the whole target, whatever was filtered or cut for display.</summary>
/// <param name="Stacks">Logical stacks, not coalesced.</param>
/// <param name="Frames">Frames of all these stacks.</param>
/// <param name="Groups">Distinct stacks.</param>
public sealed record SnapshotTotals(long Stacks, long Frames, int Groups);
