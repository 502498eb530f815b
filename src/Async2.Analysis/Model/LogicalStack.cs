using System.Collections.Immutable;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Model;

/// <summary>
/// A logical async stack, innermost frame first; when coalesced it stands for <see cref="Count"/> stacks with the same frames,
/// and the addresses are those of the first of them.
/// </summary>
public sealed record LogicalStack
{
    /// <summary>Stable within one answer: <c>s1</c>, <c>s2</c>, ... in output order.</summary>
    public required string Id { get; init; }

    /// <summary>The same in every run of one build, by <see cref="AsyncModel.KeyOf"/>; null when it does not come from a model.</summary>
    public string? Key { get; init; }

    /// <summary>How many stacks of the target look like this; 1 when not coalesced.</summary>
    public required long Count { get; init; }

    /// <summary>What the stack is doing.</summary>
    public required StackState State { get; init; }

    /// <summary>Address of the task that completes when the outermost frame returns.</summary>
    public ulong? Task { get; init; }

    /// <summary>Managed id of the thread that runs or blocks in it.</summary>
    public int? Thread { get; init; }

    /// <summary>What the innermost frame waits for.</summary>
    public WaitingOn? WaitingOn { get; init; }

    /// <summary>
    /// Ids of stacks that wait for this one and are printed on their own: several waiters of one task, or a combinator such as
    /// WhenAll. Empty when this stack holds all of its callers.
    /// </summary>
    public ImmutableArray<string> AwaitedBy { get; init; } = [];

    /// <summary>
    /// Name of the idle loop of a framework that this is, <c>Kestrel receive</c>: it waits for somebody to talk to it, which is no
    /// trouble. Null for any other stack.
    /// </summary>
    public string? Idle { get; init; }

    /// <summary>Frames, innermost first.</summary>
    public required FrameList Frames { get; init; }

    /// <summary>Numbers of the stacks of the model that it stands for; empty when it does not come from one.</summary>
    public IReadOnlyList<int> Members { get; init; } = [];
}
