using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Json;

/// <summary>One frame.</summary>
internal sealed record FrameRecord
{
    [JsonConverter(typeof(KebabEnum<FrameKind>))]
    public required FrameKind Kind { get; init; }

    [Description("In C# form, or <unreadable 0x...>.")]
    public required string Method { get; init; }

    public string? Type { get; init; }

    public string? Name { get; init; }

    public string? Module { get; init; }

    [Description("Route that it handles, GET /orders/{id}.")]
    public string? Endpoint { get; init; }

    [Description("Path as the PDB has it.")]
    public string? File { get; init; }

    [Description("1-based line of the await.")]
    public int? Line { get; init; }

    public int? IlOffset { get; init; }

    [Description("How sure line and ilOffset are.")]
    [JsonConverter(typeof(KebabEnum<Exactness>))]
    public required Exactness Exactness { get; init; }

    [Description("Address of the object behind the frame.")]
    public string? Address { get; init; }

    [Description("Frames of frameworks that it called and that are not shown.")]
    public int? Folded { get; init; }

    [Description("What else a reader must know of it: a timeout with which it waits, an await that the compiler made.")]
    public string? Note { get; init; }

    [Description("Arguments, then locals; with --locals.")]
    public IEnumerable<LocalRecord>? Locals { get; init; }
}

/// <summary>An argument or a local of a frame, as text in C# form.</summary>
internal sealed record LocalRecord
{
    public required string Name { get; init; }

    public string? Type { get; init; }

    public required string Value { get; init; }
}
