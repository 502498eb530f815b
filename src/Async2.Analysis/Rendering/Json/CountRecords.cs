using System.ComponentModel;

namespace Async2.Analysis.Rendering.Json;

/// <summary>Counts over the whole target, independent of limits.</summary>
/// <param name="Stacks">Logical stacks, not coalesced.</param>
/// <param name="Frames">Frames of these stacks.</param>
/// <param name="Groups">Distinct stacks.</param>
internal sealed record TotalsRecord(long Stacks, long Frames, int Groups)
{
    [Description("How many of the stacks are idle loops of a framework; absent means none.")]
    public long? Idle { get; init; }
}

/// <summary>Counts over the stacks that match the filters.</summary>
/// <param name="Filter">The filters as typed.</param>
/// <param name="Stacks">Logical stacks, not coalesced.</param>
/// <param name="Frames">Frames of these stacks.</param>
/// <param name="Groups">Distinct stacks.</param>
internal sealed record MatchingRecord(string Filter, long Stacks, long Frames, int Groups);

/// <summary>Stacks with something in common.</summary>
/// <param name="Key">What they have in common.</param>
/// <param name="Count">Number of stacks, independent of limits.</param>
/// <param name="Stacks">Ids of those in the list.</param>
internal sealed record SectionRecord(string Key, long Count, IEnumerable<string> Stacks);
