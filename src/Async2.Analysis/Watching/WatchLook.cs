using System.Collections.Immutable;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Query;

namespace Async2.Analysis.Watching;

/// <summary>What one look at a process shows, with what is known from the looks before it. Pure data; <see cref="WatchSeries"/> makes it.</summary>
public sealed record WatchLook
{
    /// <summary>1 for the first look.</summary>
    public required int Number { get; init; }

    /// <summary>Milliseconds on the clock of the series: differences of two looks are times.</summary>
    public required long Moment { get; init; }

    /// <summary>Everything that was read.</summary>
    public required AsyncModel Model { get; init; }

    /// <summary>The stacks that the filters ask for, and all findings.</summary>
    public required StackView View { get; init; }

    /// <summary>Groups of equal stacks: what a finding rests on first, then the largest, idle loops last.</summary>
    public required ImmutableArray<WatchGroup> Groups { get; init; }

    /// <summary>What became of all these stacks since the last look; null in the first.</summary>
    public ChangeCounts? Changes { get; init; }

    /// <summary>Findings, worst first.</summary>
    public required ImmutableArray<WatchFinding> Findings { get; init; }
}

/// <summary>Equal stacks that wait for the same, over several looks.</summary>
public sealed record WatchGroup
{
    /// <summary>The same in each look in which there are such stacks.</summary>
    public required string Key { get; init; }

    /// <summary>The group as this look shows it.</summary>
    public required LogicalStack Stack { get; init; }

    /// <summary>How many there were in each of the last looks, this one last.</summary>
    public required ImmutableArray<long> Trend { get; init; }

    /// <summary>What became of its stacks since the last look; null in the first.</summary>
    public ChangeCounts? Changes { get; init; }

    /// <summary>For how long, at least, one of them has been seen in the same place, waiting for the same, in milliseconds; 0 if all are new here.</summary>
    public required long StillMs { get; init; }

    /// <summary>For how long the oldest waits, as far as memory tells; null if that tells nothing.</summary>
    public StackAge? Age { get; init; }

    /// <summary>A finding of severity warning or error rests on it.</summary>
    public required bool IsAccused { get; init; }

    /// <summary>
    /// A healthy program would go on in a moment: it waits for a lock, a permit or a connection that others have, it is deadlocked, or it serves a
    /// request. Timers, queues and sockets keep healthy programs waiting for any time.
    /// </summary>
    public bool IsHeldUp => Stack.Idle is null && (Stack.State == StackState.Deadlocked || Contends || IsOfRequest);

    private bool Contends => Stack is { State: StackState.Awaiting or StackState.Blocked, WaitingOn.IsContended: true };

    private bool IsOfRequest => Stack.State is StackState.Awaiting or StackState.Blocked && Stack.Labels.Any(label => label.Name == Async2.Analysis.Model.Labels.LabelNames.Request);
}

/// <summary>A finding over several looks.</summary>
/// <param name="Finding">As this look has it.</param>
/// <param name="SinceMs">For how long each look has had it, in milliseconds; 0 if it is new.</param>
public sealed record WatchFinding(Finding Finding, long SinceMs);
