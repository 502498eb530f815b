using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Members;

namespace Async2.Analysis.Query;

/// <summary>
/// The complete answer about one target, and the only contract between readers on one side and analyses and renderers on the
/// other: pure data in a deterministic order, without a reference to the target.
/// </summary>
public sealed record StackView
{
    /// <summary>Facts about the target.</summary>
    public required TargetFacts Target { get; init; }

    /// <summary>Counts over everything that was found, independent of filters and limits.</summary>
    public required SnapshotTotals Totals { get; init; }

    /// <summary>Counts over everything that matches the filters; null without filters.</summary>
    public MatchingTotals? Matching { get; init; }

    /// <summary>Stacks; biggest count first, then by their innermost user method, ordinal.</summary>
    public required ImmutableArray<LogicalStack> Stacks { get; init; }

    /// <summary>What the stacks wait for, run on and go on in, and how that is known; null if the answer does not come from a model.</summary>
    public ViewGraph? Graph { get; init; }

    /// <summary>Conclusions of analyses.</summary>
    public ImmutableArray<Finding> Findings { get; init; } = [];

    /// <summary>What somebody has noted about stacks.</summary>
    public ImmutableArray<StackNote> Notes { get; init; } = [];

    /// <summary>What could not be read or decided.</summary>
    public ImmutableArray<Problem> Problems { get; init; } = [];

    /// <summary>False if stacks are known to be missing (interrupted, damaged heap, no heap in the dump).</summary>
    public required bool Complete { get; init; }
}
