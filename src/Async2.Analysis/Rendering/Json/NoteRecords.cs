using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>A conclusion of an analysis.</summary>
internal sealed record FindingRecord
{
    public required string Rule { get; init; }

    [JsonConverter(typeof(KebabEnum<Severity>))]
    public required Severity Severity { get; init; }

    [JsonConverter(typeof(KebabEnum<Confidence>))]
    public required Confidence Confidence { get; init; }

    public required string Text { get; init; }

    public required IEnumerable<string> Stacks { get; init; }
}

/// <summary>What could not be read or decided.</summary>
/// <param name="Code">Stable id, <c>A2D1004</c>.</param>
/// <param name="Text">One sentence.</param>
internal sealed record ProblemRecord(string Code, string Text)
{
    public string? Address { get; init; }
}
