using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Json;

/// <summary>What was looked at.</summary>
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

    [Description("Layouts that stacks were read by.")]
    public IEnumerable<LayoutRecord>? Layouts { get; init; }

    [Description("Milliseconds that a live target stood still.")]
    public double? FreezeMs { get; init; }

    [Description("True when a debugger held it, so that it stood still anyway.")]
    public bool? Held { get; init; }
}

/// <summary>A layout that stacks were read by.</summary>
internal sealed record LayoutRecord(
    [property: Description("What it describes: Async2Continuations, Async2Tasklets.")] string Contract,
    [property: Description("Which algorithm it is for, 1.")] string Version,
    [property: Description("Who says so: metadata, file my.json, built in net10.")] string Source);
