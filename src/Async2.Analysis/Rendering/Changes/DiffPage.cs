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
internal sealed record DiffRow
{
    public required string Id { get; init; }

    [JsonConverter(typeof(KebabEnum<StackState>))]
    public required StackState State { get; init; }

    [Description("The innermost method of the user: Orders.PayAsync.")]
    public required string Name { get; init; }

    [Description("What they wait for, in a word or two.")]
    public string? Wait { get; init; }

    [Description("The same with all that is known.")]
    public string? WaitDetail { get; init; }

    [Description("For whom they work.")]
    public string? Labels { get; init; }

    public required ChangesRecord Counts { get; init; }

    [Description("Operations that were in this group, and are in another one now.")]
    public required long Left { get; init; }

    [Description("How stuck ones were known again.")]
    public string? Known { get; init; }

    [Description("Innermost first.")]
    public required IEnumerable<DiffFrame> Frames { get; init; }

    [Description("Frames that are not listed, further out.")]
    public int? More { get; init; }

    [Description("To which groups operations of this one went on.")]
    public IEnumerable<DiffWay>? Ways { get; init; }
}

/// <summary>A frame of a group.</summary>
/// <param name="Method">Full C# form.</param>
/// <param name="Place"><c>Orders.cs:42</c>; absent if unknown.</param>
/// <param name="Framework">Not the user's own.</param>
internal sealed record DiffFrame(string Method, string? Place, bool? Framework);

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
