using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Json;

namespace Async2.Analysis.Rendering.Changes;

/// <summary>What the page of a comparison draws. Text from the target in it is harmless.</summary>
internal sealed record DiffPage
{
    public required string Verdict { get; init; }

    public required TargetRecord Before { get; init; }

    public required TargetRecord After { get; init; }

    public required ChangesRecord Totals { get; init; }

    public required bool Complete { get; init; }

    [Description("The filters as typed; absent without filters.")]
    public string? Filter { get; init; }

    [Description("Idle loops that are not among the groups.")]
    public required long Idle { get; init; }

    public required IEnumerable<DiffRow> Groups { get; init; }

    public required IEnumerable<DiffFinding> Findings { get; init; }

    public required IEnumerable<QueueRecord> Queues { get; init; }

    public required IEnumerable<ProblemRecord> Problems { get; init; }
}

/// <summary>A group of stacks with the same frames.</summary>
internal sealed record DiffRow : GroupRow
{
    internal DiffRow(DiffGroup group, IEnumerable<DiffMove> ways)
        : base(group.Stack)
    {
        (Counts, Left, Known) = (new(group.Counts), group.Left, DiffPages.KnownText(group));
        Ways = ways.Any() ? [.. ways.Select(way => new DiffWay(way.To, way.Count))] : null;
    }

    public ChangesRecord Counts { get; }

    [Description("Operations that were in this group, and are in another one now.")]
    public long Left { get; }

    [Description("How stuck ones were known again.")]
    public string? Known { get; }

    [Description("To which groups operations of this one went on.")]
    public IEnumerable<DiffWay>? Ways { get; }
}

/// <summary>Operations that went on to another place.</summary>
/// <param name="To">Id of the group in which they are; the same one if they came back to it.</param>
/// <param name="Count">How many.</param>
internal sealed record DiffWay(string To, long Count);

/// <summary>What became of a finding.</summary>
internal sealed record DiffFinding(
    [property: JsonConverter(typeof(KebabEnum<FindingFate>))] FindingFate Change,
    [property: JsonConverter(typeof(KebabEnum<Severity>))] Severity Severity,
    [property: JsonConverter(typeof(KebabEnum<Confidence>))] Confidence Confidence,
    string Rule,
    string Text);

/// <summary>Generated serializer of the page; plain ASCII, and nothing in it ends a script element.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(DiffPage))]
internal sealed partial class DiffPageJson : JsonSerializerContext;
