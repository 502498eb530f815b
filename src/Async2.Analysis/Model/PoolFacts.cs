using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Async2.Analysis.Model;

/// <summary>
/// The runtime's own thread pool at the captured moment: how many workers there are and what they do, what is queued, and when the last item was
/// taken. All of it is from fields of the runtime's objects (<c>PortableThreadPool</c>, <c>ThreadPoolWorkQueue</c>); what could not be read is
/// null, and a problem says so. A program that has never used its pool has none.
/// </summary>
public sealed record PoolFacts
{
    /// <summary>Workers that run a work item, or block in one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public required int Working { get; init; }

    /// <summary>All workers.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public required int Existing { get; init; }

    /// <summary>How many the pool wants to have at work.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public required int Goal { get; init; }

    /// <summary>Up to so many are created at once when there is work.</summary>
    public int? Min { get; init; }

    /// <summary>There are never more.</summary>
    public int? Max { get; init; }

    /// <summary>Workers in <c>Task.Wait</c>, <c>Task.Result</c> or <c>GetAwaiter().GetResult()</c>; other ways to block are not counted by the pool.</summary>
    public int? BlockedInTask { get; init; }

    /// <summary>Workers that the pool has added because others block in a task's wait.</summary>
    public int? AddedForBlocking { get; init; }

    /// <summary>Use of all processors by the machine, in percent, as the pool last measured it.</summary>
    public int? CpuPercent { get; init; }

    /// <summary>Milliseconds since a worker last took or completed an item; null if that is unknown.</summary>
    public long? SinceProgressMs { get; init; }

    /// <summary>It was at least so long: a dump does not record when it was written.</summary>
    public bool IsSinceProgressBound { get; init; }

    /// <summary>Items of the queue that workers look at before all others.</summary>
    public long HighPriority { get; init; }

    /// <summary>Items that workers take in the order in which they were queued.</summary>
    public long Global { get; init; }

    /// <summary>Items that workers have queued for themselves; others may take them.</summary>
    public long Local { get; init; }

    /// <summary>What is queued by name, most first; at most 50 names.</summary>
    public ImmutableArray<QueuedWork> Queue { get; init; } = [];

    /// <summary>Managed ids of the workers, ascending.</summary>
    public ImmutableArray<int> Workers { get; init; } = [];

    /// <summary>The last change of the number of workers; null if there was none.</summary>
    public PoolAdjustment? LastAdjustment { get; init; }

    /// <summary>Everything that is queued.</summary>
    [JsonIgnore]
    public long Queued => HighPriority + Global + Local;

    /// <inheritdoc/>
    public bool Equals(PoolFacts? other)
        => ReferenceEquals(this, other) || (other is not null && Numbers == other.Numbers && Lengths == other.Lengths && LastAdjustment == other.LastAdjustment
            && Queue.AsSpan().SequenceEqual(other.Queue.AsSpan()) && Workers.AsSpan().SequenceEqual(other.Workers.AsSpan()));

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Numbers, Lengths);

    private (int, int, int, int?, int?, int?, int?, int?) Numbers => (Working, Existing, Goal, Min, Max, BlockedInTask, AddedForBlocking, CpuPercent);

    private (long?, bool, long, long, long) Lengths => (SinceProgressMs, IsSinceProgressBound, HighPriority, Global, Local);
}

/// <summary>Items of the pool's queue with the same name.</summary>
/// <param name="Kind">What they are.</param>
/// <param name="Name">The method that they call or resume, <c>Orders.PayAsync</c>; for others their type.</param>
/// <param name="Count">How many there are.</param>
public sealed record QueuedWork(QueuedWorkKind Kind, string Name, long Count);

/// <summary>What is queued to the thread pool.</summary>
public enum QueuedWorkKind
{
    /// <summary>A delegate that has not run yet: of a task, or of a work item.</summary>
    Callback,

    /// <summary>A suspended async method that will be resumed.</summary>
    Resumption,

    /// <summary>Timers that have fired.</summary>
    Timers,

    /// <summary>Input and output: one item stands for any number of completed operations.</summary>
    InputOutput,

    /// <summary>An object that is a work item itself.</summary>
    Other,
}

/// <summary>A change of the number of workers that the pool wants.</summary>
/// <param name="Reason">The runtime's name for it: <c>Starvation</c>, <c>CooperativeBlocking</c>, <c>ClimbingMove</c>, ...</param>
/// <param name="Goal">How many it wanted from then on.</param>
/// <param name="AgoMs">Milliseconds ago; null if that is unknown.</param>
public sealed record PoolAdjustment(string Reason, int Goal, long? AgoMs);
