using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;
using Async2.Analysis.Query;

namespace Async2.Analysis.Comparison;

/// <summary>What became of a process since an earlier look, by the stacks of an answer about the later one.</summary>
public sealed record LookChanges
{
    /// <summary>Facts about the earlier look.</summary>
    public required TargetFacts Before { get; init; }

    /// <summary>Milliseconds between the two; null if one of them does not say when it was taken.</summary>
    public long? ApartMs { get; init; }

    /// <summary>Counts over all stacks.</summary>
    public required ChangeCounts Totals { get; init; }

    /// <summary>How many of the operations of a stack are stuck, moved and new, by its id. Stacks of the answer that are not compared are absent.</summary>
    public required IReadOnlyDictionary<string, StackFates> ById { get; init; }

    /// <summary>Stacks of the earlier look with operations that are gone, and how many: most first.</summary>
    public required ImmutableArray<DiffGroup> Gone { get; init; }

    /// <summary>Compares.</summary>
    /// <param name="before">The earlier look.</param>
    /// <param name="after">The later one, at the same process.</param>
    /// <param name="view">What is shown of the later one.</param>
    /// <param name="options">How stacks are shown.</param>
    /// <param name="cancellation">Ends it early.</param>
    public static LookChanges Of(AsyncModel before, AsyncModel after, StackView view, AnalysisOptions options, CancellationToken cancellation = default)
    {
        var pairs = StackPairs.Between(before, after, out _);
        var groups = new GroupChanges(before, after, pairs);
        groups.Add(TargetComparison.GroupsOf(before, options, cancellation).Stacks, TargetComparison.GroupsOf(after, options, cancellation).Stacks);
        ImmutableArray<DiffGroup> all = groups.Finish();
        return new()
        {
            Before = before.Target,
            ApartMs = TargetComparison.Apart(before.Target, after.Target),
            Totals = groups.Totals,
            ById = view.Stacks.Where(stack => stack.Members.Count > 0).ToDictionary(stack => stack.Id, stack => FatesOf(stack, pairs), StringComparer.Ordinal),
            Gone = [.. all.Where(group => group.Counts.Gone > 0).OrderBy(group => group.Stack.Idle is not null).ThenByDescending(group => group.Counts.Gone)],
        };
    }

    private static StackFates FatesOf(LogicalStack stack, StackPairs pairs)
    {
        long stuck = 0, moved = 0, fresh = 0;
        foreach (int member in stack.Members)
        {
            if (pairs.OfAfter(member) is not { } pair)
                fresh++;
            else if (pair.IsStuck)
                stuck++;
            else
                moved++;
        }
        return new(stuck, moved, fresh);
    }
}

/// <summary>What became of the operations of a stack.</summary>
/// <param name="Stuck">They are where they were, waiting for the same.</param>
/// <param name="Moved">They have gone on, to here.</param>
/// <param name="New">They were not there.</param>
public sealed record StackFates(long Stuck, long Moved, long New);
