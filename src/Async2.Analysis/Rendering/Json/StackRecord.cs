using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>What the innermost frame of a stack waits for.</summary>
internal sealed record WaitRecord : WaitFields
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public WaitRecord()
    {
    }

    [SetsRequiredMembers]
    internal WaitRecord(WaitingOn wait)
        : base(wait)
        => (Detail, Done) = (wait.Detail, wait.IsDone ? true : null);

    [JsonPropertyOrder(1)]
    [Description("The part of text that says why it has not happened: 0 free, 3 waiting.")]
    public string? Detail { get; init; }

    [JsonPropertyOrder(1)]
    [Description("True when what was awaited has happened: text says where the stack will go on.")]
    public bool? Done { get; init; }
}

/// <summary>A stack with its frames.</summary>
internal sealed record StackRecord : StackFields
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public StackRecord()
    {
    }

    [SetsRequiredMembers]
    internal StackRecord(LogicalStack stack)
        : base(stack)
    {
        Key = stack.Key;
        WaitingOn = stack.WaitingOn is { } wait ? new WaitRecord(wait) : null;
        LabelFacts = stack.Labels.IsEmpty ? null : stack.Labels.ToDictionary(label => label.Name, label => LabelRecord.Of(label, stack.Count), StringComparer.Ordinal);
        Frames = stack.Frames.Select(frame => new FrameRecord(frame));
    }

    [JsonPropertyOrder(-2)]
    [Description("The same in every run of one build: made of methods, IL offsets and kinds. Stacks that differ only in state or count have the same key.")]
    public string? Key { get; init; }

    [JsonPropertyOrder(-1)]
    public WaitRecord? WaitingOn { get; init; }

    [Description("Where each label was read, and of equal stacks how many have one and how many values there are.")]
    public IReadOnlyDictionary<string, LabelRecord>? LabelFacts { get; init; }

    [JsonPropertyOrder(1)]
    [Description("Innermost first: the frame that waits comes first.")]
    public required IEnumerable<FrameRecord> Frames { get; init; }
}
