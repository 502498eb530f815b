using System.Text.Json.Serialization;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>A distinct frame, as readers of the tree get it: no address, nothing that could do harm on a page.</summary>
internal sealed record FrameRow
{
    public required string Method { get; init; }

    public string? Name { get; init; }

    public string? Type { get; init; }

    public string? Module { get; init; }

    public string? File { get; init; }

    public int? Line { get; init; }

    /// <summary>File name and line with a mark that says how sure they are.</summary>
    public string? Place { get; init; }

    [JsonConverter(typeof(KebabEnum<FrameKind>))]
    public required FrameKind Kind { get; init; }

    [JsonConverter(typeof(KebabEnum<Exactness>))]
    public required Exactness Exactness { get; init; }

    public bool? Framework { get; init; }

    /// <summary>How many frames of frameworks are folded on its inner side, at most: stacks differ in that.</summary>
    public int? Folded { get; init; }

    /// <summary>How many frames of a stack it stands for; null for one.</summary>
    public int? Frames { get; init; }

    /// <summary>Words for recursion.</summary>
    public string? Repeat { get; init; }

    public static FrameRow Of(LogicalFrame frame) => new()
    {
        Method = SafeText.Escape(frame.Method),
        Name = SafeText.Escape(frame.Name),
        Type = SafeText.Escape(frame.Type),
        Module = SafeText.Escape(frame.Module),
        File = SafeText.Escape(frame.File),
        Line = frame.Line,
        Place = LocationText.Of(frame) is { Length: > 0 } place ? SafeText.Escape(place) : null,
        Kind = frame.Kind,
        Exactness = frame.Exactness,
        Framework = frame.IsFramework ? true : null,
        Folded = frame.Folded == 0 ? null : frame.Folded,
    };
}
