using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>A distinct frame for readers of the tree: no address, and nothing harmful on a page. Many nodes can have it.</summary>
internal sealed record TreeFrame : FrameFields
{
    [SetsRequiredMembers]
    internal TreeFrame(LogicalFrame frame)
        : base(frame)
    {
        (Method, Name, Type) = (SafeText.Escape(frame.Method), SafeText.Escape(frame.Name), SafeText.Escape(frame.Type));
        (Module, File) = (SafeText.Escape(frame.Module), SafeText.Escape(frame.File));
        Place = LocationText.Of(frame) is { Length: > 0 } place ? SafeText.Escape(place) : null;
        Framework = frame.IsFramework ? true : null;
    }

    /// <summary><c>Orders.cs:42</c> with a mark for its certainty.</summary>
    [JsonPropertyOrder(4)]
    public string? Place { get; init; }

    [JsonPropertyOrder(6)]
    public bool? Framework { get; init; }

    /// <summary>Number of the stack's frames that it stands for; one if absent.</summary>
    [JsonPropertyOrder(8)]
    public int? Frames { get; init; }

    /// <summary>Text for recursion: <c>2 frames, 5,000 more times</c>.</summary>
    [JsonPropertyOrder(8)]
    public string? Repeat { get; init; }
}
