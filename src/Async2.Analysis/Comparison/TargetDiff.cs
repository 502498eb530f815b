using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;

namespace Async2.Analysis.Comparison;

/// <summary>What changed in a program between two moments: two looks at a process, dumps, or snapshot files, in any combination.</summary>
public sealed record TargetDiff
{
    /// <summary>Facts about the earlier one.</summary>
    public required TargetFacts Before { get; init; }

    /// <summary>Facts about the later one.</summary>
    public required TargetFacts After { get; init; }

    /// <summary>Milliseconds between the two; null if one of them does not say when it was taken.</summary>
    public long? ApartMs { get; init; }

    /// <summary>
    /// Whether a garbage collection came between, so that objects are known by their clocks and their order and not by their addresses. Null where
    /// nothing tells: addresses are trusted then.
    /// </summary>
    public bool? Collected { get; init; }

    /// <summary>Counts over all stacks that match the filters.</summary>
    public required ChangeCounts Totals { get; init; }

    /// <summary>The filters as typed; null without filters.</summary>
    public string? Filter { get; init; }

    /// <summary>Stacks with the same frames: those that are stuck first, then those that came and went; idle loops last.</summary>
    public required ImmutableArray<DiffGroup> Groups { get; init; }

    /// <summary>From which group to which operations went on, most first.</summary>
    public required ImmutableArray<DiffMove> Moves { get; init; }

    /// <summary>Findings of either, by what became of them; those that are still true first, worst first.</summary>
    public required ImmutableArray<FindingChange> Findings { get; init; }

    /// <summary>Locks, semaphores, channels and pools for which another number of stacks waits than before; the biggest growth first.</summary>
    public required ImmutableArray<QueueChange> Queues { get; init; }

    /// <summary>What could not be read or decided, of both.</summary>
    public required ImmutableArray<Problem> Problems { get; init; }

    /// <summary>False if stacks of one of the two are known to be missing: what is gone or new may be neither.</summary>
    public required bool Complete { get; init; }
}

/// <summary>What became of stacks.</summary>
/// <param name="Before">How many there were.</param>
/// <param name="After">How many there are.</param>
/// <param name="Stuck">The same operations, in the same place, waiting for the same.</param>
/// <param name="Moved">Operations that were there before, and are in another place now, or in the same one again.</param>
/// <param name="New">Operations that were not there.</param>
/// <param name="Gone">Operations that are not there any more.</param>
public sealed record ChangeCounts(long Before, long After, long Stuck, long Moved, long New, long Gone)
{
    /// <summary>Those of several groups together.</summary>
    internal static ChangeCounts Sum(IEnumerable<ChangeCounts> groups)
        => groups.Aggregate(new ChangeCounts(0, 0, 0, 0, 0, 0), (sum, one) => new(sum.Before + one.Before, sum.After + one.After, sum.Stuck + one.Stuck, sum.Moved + one.Moved, sum.New + one.New, sum.Gone + one.Gone));
}

/// <summary>Stacks with the same frames and the same kind of wait.</summary>
/// <param name="Stack">One of them: of those now, if there are any.</param>
/// <param name="Counts">What became of them. Operations that left the group for another one are in none of moved, new and gone.</param>
/// <param name="Left">Operations that were in it, and are in another group now.</param>
/// <param name="Known">How those that are stuck were known again, most frequent first.</param>
public sealed record DiffGroup(LogicalStack Stack, ChangeCounts Counts, long Left, ImmutableArray<KnownBy> Known);

/// <summary>How an operation was known again.</summary>
/// <param name="By">By what.</param>
/// <param name="Stacks">How many stacks.</param>
public sealed record KnownBy(MatchedBy By, long Stacks);

/// <summary>Operations that went from one place to another.</summary>
/// <param name="From">Id of the group in which they were; null for one that the filters leave out.</param>
/// <param name="To">Id of the group in which they are.</param>
/// <param name="Count">How many.</param>
public sealed record DiffMove(string? From, string To, long Count);

/// <summary>What became of a finding.</summary>
/// <param name="Change">Whether it is still true.</param>
/// <param name="Finding">As it is now; as it was, if it is gone.</param>
public sealed record FindingChange(FindingFate Change, Finding Finding);

/// <summary>What became of a finding.</summary>
public enum FindingFate
{
    /// <summary>It was found before, and is found now.</summary>
    Still,

    /// <summary>It is found now.</summary>
    New,

    /// <summary>It was found before.</summary>
    Gone,
}

/// <summary>Something that stacks wait for.</summary>
/// <param name="Name">The program's name for it, or its type and address.</param>
/// <param name="Before">How many waited.</param>
/// <param name="After">How many wait.</param>
public sealed record QueueChange(string Name, long Before, long After);
