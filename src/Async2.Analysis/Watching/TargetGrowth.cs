using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Watching;

/// <summary>What only grows in a program, over several looks at it.</summary>
public sealed record TargetGrowth
{
    /// <summary>Facts about each look, oldest first.</summary>
    public required ImmutableArray<TargetFacts> Targets { get; init; }

    /// <summary>How many stacks each look has, of those that match the filters.</summary>
    public required ImmutableArray<long> Stacks { get; init; }

    /// <summary>Milliseconds from the first look to the last; null if one of them does not say when it was taken.</summary>
    public long? OverMs { get; init; }

    /// <summary>The filters as typed; null without filters.</summary>
    public string? Filter { get; init; }

    /// <summary>What only grows, the biggest growth first.</summary>
    public required ImmutableArray<GrowthGroup> Groups { get; init; }

    /// <summary>How many other groups the last look has: they shrink sometimes, or stay as they are.</summary>
    public required long Others { get; init; }

    /// <summary>What could not be read or decided, of all looks.</summary>
    public required ImmutableArray<Problem> Problems { get; init; }

    /// <summary>False if stacks of a look are known to be missing.</summary>
    public required bool Complete { get; init; }
}

/// <summary>Equal stacks of which there are never fewer than in the look before, and more in the last than in the first.</summary>
/// <param name="Stack">The group as the last look has it.</param>
/// <param name="Counts">How many each look has, oldest first.</param>
/// <param name="PerMinute">By how many it grows in a minute, on average; null if it is not known when the looks were taken.</param>
/// <param name="Ended">How many operations went on or ended between the looks: none in a leak. Null if operations cannot be known again.</param>
public sealed record GrowthGroup(LogicalStack Stack, ImmutableArray<long> Counts, double? PerMinute, long? Ended)
{
    /// <summary>How many more the last look has than the first.</summary>
    public long Growth => Counts[^1] - Counts[0];
}
