using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The thread pool.</summary>
internal sealed record PoolRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public PoolRecord()
    {
    }

    [SetsRequiredMembers]
    internal PoolRecord(PoolFacts pool)
    {
        (Working, Existing, Goal, Min, Max) = (pool.Working, pool.Existing, pool.Goal, pool.Min, pool.Max);
        (BlockedInTask, AddedForBlocking, CpuPercent) = (pool.BlockedInTask, pool.AddedForBlocking, pool.CpuPercent);
        (SinceProgressMs, AtLeast) = (pool.SinceProgressMs, pool.IsSinceProgressBound ? true : null);
        (HighPriority, Global, Local) = (pool.HighPriority, pool.Global, pool.Local);
        Queue = pool.Queue.IsDefaultOrEmpty ? null : pool.Queue.Select(work => new QueuedRecord(work.Kind, work.Name, work.Count));
        Workers = pool.Workers.IsDefaultOrEmpty ? null : pool.Workers;
        LastAdjustment = pool.LastAdjustment is { } last ? new(last.Reason, last.Goal) { AgoMs = last.AgoMs } : null;
    }

    [Description("Workers that run a work item, or block in one.")]
    public required int Working { get; init; }

    [Description("All workers.")]
    public required int Existing { get; init; }

    [Description("How many the pool wants to have at work.")]
    public required int Goal { get; init; }

    public int? Min { get; init; }

    public int? Max { get; init; }

    [Description("Workers that block in a task's Wait or Result.")]
    public int? BlockedInTask { get; init; }

    [Description("Workers that the pool has added because of these.")]
    public int? AddedForBlocking { get; init; }

    [Description("Use of all processors, in percent, as the pool last measured it.")]
    public int? CpuPercent { get; init; }

    [Description("Milliseconds since a worker last took or completed an item.")]
    public long? SinceProgressMs { get; init; }

    [Description("True if it was at least so long: a dump does not record when it was written.")]
    public bool? AtLeast { get; init; }

    [Description("Items in the queue that workers look at first.")]
    public required long HighPriority { get; init; }

    [Description("Items in the common queue.")]
    public required long Global { get; init; }

    [Description("Items in the queues of workers.")]
    public required long Local { get; init; }

    [Description("What is queued, by name; at most 50 names.")]
    public IEnumerable<QueuedRecord>? Queue { get; init; }

    [Description("Managed ids of the workers.")]
    public IEnumerable<int>? Workers { get; init; }

    [Description("The last change of the number of workers.")]
    public AdjustmentRecord? LastAdjustment { get; init; }

    /// <summary>From the record back to what it was made of.</summary>
    public PoolFacts Facts() => new()
    {
        Working = Working,
        Existing = Existing,
        Goal = Goal,
        Min = Min,
        Max = Max,
        BlockedInTask = BlockedInTask,
        AddedForBlocking = AddedForBlocking,
        CpuPercent = CpuPercent,
        SinceProgressMs = SinceProgressMs,
        IsSinceProgressBound = AtLeast == true,
        HighPriority = HighPriority,
        Global = Global,
        Local = Local,
        Queue = [.. (Queue ?? []).Select(Of)],
        Workers = [.. Workers ?? []],
        LastAdjustment = LastAdjustment is { } last ? new(ViewRecords.Known(last.Reason, "reason of an adjustment"), last.Goal, last.AgoMs) : null,
    };

    private static QueuedWork Of(QueuedRecord? work)
    {
        QueuedRecord known = ViewRecords.Known(work, "an item of the pool's queue");
        return new(known.Kind, ViewRecords.Known(known.Name, "an item's name"), known.Count);
    }
}

/// <summary>Items of the pool's queue with the same name.</summary>
internal sealed record QueuedRecord(
    [property: JsonConverter(typeof(KebabEnum<QueuedWorkKind>))] QueuedWorkKind Kind,
    [property: Description("The method that they call or resume; of others their type.")] string Name,
    long Count);

/// <summary>A change of the number of workers.</summary>
internal sealed record AdjustmentRecord(
    [property: Description("The runtime's name for it: Starvation, CooperativeBlocking, ClimbingMove.")] string Reason,
    [property: Description("How many were wanted from then on.")] int Goal)
{
    [Description("Milliseconds ago; absent if that is unknown, as it may be in a dump.")]
    public long? AgoMs { get; init; }
}
