using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The fields of every JSON form of a frame.</summary>
internal record FrameFields
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public FrameFields()
    {
    }

    [SetsRequiredMembers]
    internal FrameFields(LogicalFrame frame)
    {
        (Kind, Method, Type, Name, Module) = (frame.Kind, frame.Method, frame.Type, frame.Name, frame.Module);
        (File, Line, Exactness) = (frame.File, frame.Line, frame.Exactness);
        Folded = frame.Folded == 0 ? null : frame.Folded;
    }

    [JsonPropertyOrder(1)]
    [JsonConverter(typeof(KebabEnum<FrameKind>))]
    public required FrameKind Kind { get; init; }

    [JsonPropertyOrder(1)]
    [Description("In C# form, or <unreadable 0x...>.")]
    public required string Method { get; init; }

    [JsonPropertyOrder(1)]
    public string? Type { get; init; }

    [JsonPropertyOrder(1)]
    public string? Name { get; init; }

    [JsonPropertyOrder(1)]
    public string? Module { get; init; }

    [JsonPropertyOrder(3)]
    [Description("Path in the PDB.")]
    public string? File { get; init; }

    [JsonPropertyOrder(3)]
    [Description("1-based line of the await.")]
    public int? Line { get; init; }

    [JsonPropertyOrder(5)]
    [Description("How certain line and ilOffset are.")]
    [JsonConverter(typeof(KebabEnum<Exactness>))]
    public required Exactness Exactness { get; init; }

    [JsonPropertyOrder(7)]
    [Description("Number of folded framework frames that it called.")]
    public int? Folded { get; init; }
}
