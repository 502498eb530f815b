using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>A stack with its frames.</summary>
internal sealed record StackRecord : StackFields
{
    [SetsRequiredMembers]
    internal StackRecord(LogicalStack stack)
        : base(stack)
    {
        Key = stack.Key;
        WaitingOn = stack.WaitingOn is { } wait ? new WaitFields(wait) : null;
        Frames = stack.Frames.Select(frame => new FrameRecord(frame));
    }

    [JsonPropertyOrder(-2)]
    [Description("The same in every run of one build: made of methods, IL offsets and kinds. Stacks that differ only in state or count have the same key.")]
    public string? Key { get; init; }

    [JsonPropertyOrder(-1)]
    public WaitFields? WaitingOn { get; init; }

    [JsonPropertyOrder(1)]
    [Description("Innermost first: the frame that waits comes first.")]
    public required IEnumerable<FrameRecord> Frames { get; init; }
}
