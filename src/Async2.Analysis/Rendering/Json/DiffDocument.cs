using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Comparison;
using Async2.Analysis.Operations;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The root of <c>async2.diff/1</c>.</summary>
internal sealed record DiffDocument
{
    /// <summary>Name and version of the format; an incompatible change increases the number.</summary>
    public const string SchemaId = "async2.diff/1";

    [Description("Always async2.diff/1.")]
    public required string Schema { get; init; }

    public required TargetRecord Before { get; init; }

    public required TargetRecord After { get; init; }

    [Description("Milliseconds between the two; absent if one of them does not say when it was taken.")]
    public long? ApartMs { get; init; }

    [Description("Whether a garbage collection came between, so that operations are known again by clocks and order; absent if nothing tells.")]
    public bool? Collected { get; init; }

    [Description("The filters as typed; absent without filters.")]
    public string? Filter { get; init; }

    public required ChangesRecord Totals { get; init; }

    [Description("Stacks with the same frames: those that are stuck first, then what came and went; idle loops last.")]
    public required IEnumerable<DiffGroupRecord> Groups { get; init; }

    [Description("From which group to which operations went on, most first; also back to the same one.")]
    public required IEnumerable<MoveRecord> Moves { get; init; }

    [Description("Findings of either: those that are still true first.")]
    public required IEnumerable<FindingChangeRecord> Findings { get; init; }

    [Description("Locks, semaphores, channels and pools with a name for which another number of stacks waits.")]
    public required IEnumerable<QueueRecord> Queues { get; init; }

    [Description("What could not be read or decided, of both.")]
    public required IEnumerable<ProblemRecord> Problems { get; init; }

    [Description("False if stacks of one of the two are known to be missing.")]
    public required bool Complete { get; init; }
}

/// <summary>What became of stacks.</summary>
/// <param name="Before">How many there were.</param>
/// <param name="After">How many there are.</param>
/// <param name="Stuck">The same operations, in the same place, waiting for the same.</param>
/// <param name="Moved">Operations that were there before, and are in another place now, or in the same one again.</param>
/// <param name="New">Operations that were not there.</param>
/// <param name="Gone">Operations that are not there any more.</param>
internal sealed record ChangesRecord(long Before, long After, long Stuck, long Moved, long New, long Gone)
{
    internal ChangesRecord(ChangeCounts counts)
        : this(counts.Before, counts.After, counts.Stuck, counts.Moved, counts.New, counts.Gone)
    {
    }
}

/// <summary>Stacks with the same frames and the same kind of wait.</summary>
internal sealed record DiffGroupRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public DiffGroupRecord()
    {
    }

    [SetsRequiredMembers]
    internal DiffGroupRecord(DiffGroup group)
    {
        (Counts, Left, Stack) = (new(group.Counts), group.Left, new(group.Stack));
        Known = group.Known.IsEmpty ? null : group.Known.Select(known => new KnownRecord(known.By, known.Stacks));
    }

    public required ChangesRecord Counts { get; init; }

    [Description("Operations that were in this group, and are in another one now.")]
    public required long Left { get; init; }

    [Description("How stuck ones were known again.")]
    public IEnumerable<KnownRecord>? Known { get; init; }

    [Description("One of the stacks: of those now, if there are any. Its count is that of the group.")]
    public required StackRecord Stack { get; init; }
}

/// <summary>How operations were known again.</summary>
internal sealed record KnownRecord([property: JsonConverter(typeof(KebabEnum<MatchedBy>))] MatchedBy By, long Stacks);

/// <summary>Operations that went from one place to another.</summary>
/// <param name="From">Id of the group's stack; absent for one that the filters leave out.</param>
/// <param name="To">Id of the group's stack.</param>
/// <param name="Count">How many.</param>
internal sealed record MoveRecord(string? From, string To, long Count);

/// <summary>What became of a finding.</summary>
internal sealed record FindingChangeRecord([property: JsonConverter(typeof(KebabEnum<FindingFate>))] FindingFate Change, FindingRecord Finding);

/// <summary>Something that stacks wait for.</summary>
/// <param name="Name">The program's name for it.</param>
/// <param name="Before">How many waited.</param>
/// <param name="After">How many wait.</param>
internal sealed record QueueRecord(string Name, long Before, long After);
