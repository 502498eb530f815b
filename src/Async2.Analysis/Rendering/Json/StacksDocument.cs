using System.ComponentModel;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The root of <c>async2.stacks/1</c>. Lists are enumerated while they are written, so a big answer is never held as text.</summary>
internal sealed record StacksDocument
{
    /// <summary>Name and version of the format; an incompatible change increases the number.</summary>
    public const string SchemaId = "async2.stacks/1";

    [Description("Always async2.stacks/1.")]
    public required string Schema { get; init; }

    public required TargetRecord Target { get; init; }

    public required TotalsRecord Totals { get; init; }

    [Description("Counts over the stacks that match the filters; absent without filters.")]
    public MatchingRecord? Matching { get; init; }

    [Description("False if stacks are known to be missing; see problems.")]
    public required bool Complete { get; init; }

    [Description("Biggest count first.")]
    public required IEnumerable<StackRecord> Stacks { get; init; }

    [Description("The stacks in sections, with --group-by: biggest count first.")]
    public IEnumerable<SectionRecord>? Groups { get; init; }

    [Description("What the stacks wait for, are held up by, run on and go on in: edges from the stacks of the list, and from what they lead to. Edges within a stack are its frames.")]
    public IEnumerable<EdgeRecord>? Edges { get; init; }

    [Description("What edges lead to that is neither a stack nor a thread.")]
    public IEnumerable<ResourceRecord>? Resources { get; init; }

    [Description("The threads that edges lead to.")]
    public IEnumerable<ThreadRecord>? Threads { get; init; }

    public required IEnumerable<FindingRecord> Findings { get; init; }

    [Description("What could not be read or decided.")]
    public required IEnumerable<ProblemRecord> Problems { get; init; }
}
