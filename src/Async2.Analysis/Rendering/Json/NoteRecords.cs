using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Rendering.Json;

/// <summary>A conclusion of an analysis.</summary>
internal sealed record FindingRecord
{
    public string? Id { get; init; }

    public string? Key { get; init; }

    public required string Rule { get; init; }

    [JsonConverter(typeof(KebabEnum<Severity>))]
    public required Severity Severity { get; init; }

    [JsonConverter(typeof(KebabEnum<Confidence>))]
    public required Confidence Confidence { get; init; }

    public required string Text { get; init; }

    public required IEnumerable<string> Stacks { get; init; }

    public long? Blocked { get; init; }

    public IEnumerable<EvidenceRecord>? Evidence { get; init; }

    [Description("Whether what it is about has moved between two looks; absent if that is not known.")]
    [JsonConverter(typeof(KebabEnum<Motion>))]
    public Motion? Motion { get; init; }

    [Description("For how long looks have seen what it is about in the same place; absent if it has moved, and after one look.")]
    public StillRecord? Still { get; init; }

    [Description("For how long the oldest of those that it is about has waited; only of rules that tell so much.")]
    public AgeRecord? Age { get; init; }

    [Description("For whom the stacks work that hang on it: requests first, then the program's own AsyncLocals.")]
    public IEnumerable<FindingLabelRecord>? Labels { get; init; }

    public string? DisprovedBy { get; init; }

    public string? Next { get; init; }
}

/// <summary>For how long something has not moved.</summary>
internal sealed record StillRecord(
    [property: Description("Milliseconds from the first of these looks to the last.")] long AtLeastMs,
    [property: Description("In how many looks it was there, the last one included.")] int Looks,
    [property: Description("How many looks there were.")] int OfLooks);

/// <summary>What the labels of one name say.</summary>
internal sealed record FindingLabelRecord(
    [property: Description("request, or the field of an AsyncLocal.")] string Name,
    [property: Description("How many requests; of an AsyncLocal, how many stacks have a value.")] long Count,
    [property: Description("How many different values; of requests, how many routes.")] long Values,
    [property: Description("The values that most have, at most ten.")] IEnumerable<LabelShareRecord> Largest)
{
    [Description("All of it in a line, with the three largest values; absent if they are all left out.")]
    public string? Text { get; init; }
}

/// <summary>A value of a label, and how many have it.</summary>
internal sealed record LabelShareRecord(
    [property: Description("Of requests method and route, or the path where no route is known.")] string Value,
    [property: Description("How many requests; of an AsyncLocal, how many stacks.")] long Count)
{
    [Description("Trace id of one of the requests.")]
    public string? Trace { get; init; }
}

/// <summary>A step of a finding.</summary>
/// <param name="Text">One sentence.</param>
internal sealed record EvidenceRecord(string Text)
{
    public string? Method { get; init; }

    public string? File { get; init; }

    public int? Line { get; init; }

    public string? Stack { get; init; }

    [JsonConverter(typeof(KebabEnum<EdgeKind>))]
    public EdgeKind? Relation { get; init; }

    public string? To { get; init; }
}

/// <summary>What could not be read or decided.</summary>
/// <param name="Code">Stable id, <c>A2D1004</c>.</param>
/// <param name="Text">One sentence.</param>
internal sealed record ProblemRecord(string Code, string Text)
{
    public string? Address { get; init; }
}
