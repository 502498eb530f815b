using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>One stack, or <see cref="Count"/> equal ones.</summary>
internal sealed record StackRecord
{
    public required string Id { get; init; }

    [Description("How many stacks look like this; more than 1 only when coalesced.")]
    public required long Count { get; init; }

    [JsonConverter(typeof(KebabEnum<StackState>))]
    public required StackState State { get; init; }

    [Description("Address of the task that completes when the outermost frame returns.")]
    public string? Task { get; init; }

    [Description("Managed id of the thread that runs or blocks in it.")]
    public int? Thread { get; init; }

    public WaitingOnRecord? WaitingOn { get; init; }

    [Description("Ids of stacks that wait for this one and stand on their own.")]
    public IEnumerable<string>? AwaitedBy { get; init; }

    [Description("Name of the idle loop of a framework that this is, Kestrel receive: it waits for somebody to talk to it.")]
    public string? Idle { get; init; }

    [Description("Innermost first: the frame that waits comes first.")]
    public required IEnumerable<FrameRecord> Frames { get; init; }
}

/// <summary>What the innermost frame waits for.</summary>
internal sealed record WaitingOnRecord
{
    [JsonConverter(typeof(KebabEnum<WaitKind>))]
    public required WaitKind Kind { get; init; }

    public required string Text { get; init; }

    public string? Address { get; init; }

    public string? Type { get; init; }

    [Description("Id of the stack that this one waits for.")]
    public string? Stack { get; init; }

    [Description("Ids of the stacks that a combinator such as WhenAll still waits for.")]
    public IEnumerable<string>? Pending { get; init; }
}
