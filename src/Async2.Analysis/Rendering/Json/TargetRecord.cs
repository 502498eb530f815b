using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The target.</summary>
internal sealed record TargetRecord
{
    [JsonConverter(typeof(KebabEnum<TargetKind>))]
    public required TargetKind Kind { get; init; }

    public int? Pid { get; init; }

    public string? Path { get; init; }

    public required string Os { get; init; }

    public required string Architecture { get; init; }

    [Description("Version of the runtime, 10.0.12.")]
    public string? Runtime { get; init; }

    [Description("Async families in use: runtime-async, state-machine, pooled, tasklet.")]
    public required IEnumerable<string> Families { get; init; }

    [Description("Layouts by which stacks were read.")]
    public IEnumerable<LayoutRecord>? Layouts { get; init; }

    [Description("Milliseconds for which a live target was stopped.")]
    public double? FreezeMs { get; init; }

    [Description("How often it was read for this answer, so that what has moved is known; absent for once.")]
    public int? Looks { get; init; }

    [Description("Milliseconds between the first reading and the last.")]
    public long? ApartMs { get; init; }

    [Description("The newest tick count found in a dump: its ages count to it, because it does not record when it was written.")]
    public long? LastTick { get; init; }

    [Description("Where lastTick comes from: timer, timer-queue, pool, activity.")]
    public string? LastTickFrom { get; init; }

    [Description("State of the thread pool; absent if it is not used, or could not be read.")]
    public PoolRecord? Pool { get; init; }

    [Description("True if a debugger had already stopped it.")]
    public bool? Held { get; init; }
}

/// <summary>A layout by which stacks were read.</summary>
internal sealed record LayoutRecord(
    [property: Description("What it describes: Async2Continuations, Async2Tasklets.")] string Contract,
    [property: Description("Version of the algorithm, 1.")] string Version,
    [property: Description("Source of the layout: metadata, file my.json, built in net10.")] string Source);
