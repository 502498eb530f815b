using System.Collections.Immutable;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Model.Members;

namespace Async2.Analysis.Model;

/// <summary>
/// A logical async stack, innermost frame first. If coalesced, it stands for <see cref="Count"/> stacks with the same frames,
/// and the addresses are those of the first one.
/// </summary>
public sealed record LogicalStack
{
    /// <summary>Stable within one answer: <c>s1</c>, <c>s2</c>, ... in output order.</summary>
    public required string Id { get; init; }

    /// <summary>The same in every run of one build, from <see cref="AsyncModel.KeyOf"/>; null if it does not come from a model.</summary>
    public string? Key { get; init; }

    /// <summary>Number of equal stacks in the target; 1 if not coalesced.</summary>
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
    /// Ids of stacks that wait for this one and are printed separately: several waiters of one task, or a combinator such as
    /// WhenAll. Empty if this stack contains all of its callers.
    /// </summary>
    public ImmutableArray<string> AwaitedBy { get; init; } = [];

    /// <summary>
    /// Name of the framework's idle loop, <c>Kestrel receive</c>: it waits for a client, which is harmless.
    /// Null for any other stack.
    /// </summary>
    public string? Idle { get; init; }

    /// <summary>For how long it has waited, or has not moved; of equal stacks that of the oldest. Null if nothing is known of that.</summary>
    public StackAge? Age { get; init; }

    /// <summary>For whom it works: the request, the trace, values that the program gave along; in the order of <see cref="LabelNames.All"/>, then by name.</summary>
    public ImmutableArray<StackLabel> Labels { get; init; } = [];

    /// <summary>Frames, innermost first.</summary>
    public required FrameList Frames { get; init; }

    /// <summary>Numbers of the model's stacks that it stands for; empty if it does not come from a model.</summary>
    public IReadOnlyList<int> Members { get; init; } = [];

    /// <summary>What each of equal stacks has for itself; null for a single one, and if it was not asked for.</summary>
    public EqualStacks? Equal { get; init; }
}

/// <summary>State of a logical stack, in the words of Visual Studio's Tasks window.</summary>
public enum StackState
{
    /// <summary>Suspended; waits for something that has not happened.</summary>
    Awaiting,

    /// <summary>What it waited for has happened; queued to run.</summary>
    Scheduled,

    /// <summary>A thread executes it now.</summary>
    Active,

    /// <summary>A thread blocks synchronously in it.</summary>
    Blocked,

    /// <summary>Part of a cycle of waits.</summary>
    Deadlocked,

    /// <summary>Finished; still on the heap.</summary>
    Completed,
}
