using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Async2.Analysis.Model;

/// <summary>Facts about the process or file of an answer.</summary>
public sealed record TargetFacts
{
    /// <summary>Process or dump.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public required TargetKind Kind { get; init; }

    /// <summary>Process id; for a dump, that of the dumped process if the dump names it.</summary>
    public int? Pid { get; init; }

    /// <summary>Dump file, or the main executable of a process.</summary>
    public string? Path { get; init; }

    /// <summary>Name of the process; null if unknown.</summary>
    public string? ProcessName { get; init; }

    /// <summary>Command line of the process, program first; null if unknown.</summary>
    public string? CommandLine { get; init; }

    /// <summary>Name of the machine that read it; null for a dump.</summary>
    public string? HostName { get; init; }

    /// <summary>When it was captured, by the clock of that machine; null for a dump, which does not record when it was written.</summary>
    public DateTimeOffset? TakenAt { get; init; }

    /// <summary>The same by the target's own <c>Environment.TickCount64</c>, in milliseconds; null if unknown.</summary>
    public long? Tick { get; init; }

    /// <summary>
    /// The newest <c>Environment.TickCount64</c> found in a dump, to which its ages count, because it does not record when it was written: then they
    /// were at least so. Null for a process, whose <see cref="Tick"/> is known, and if there is none.
    /// </summary>
    public long? LastTick { get; init; }

    /// <summary>Where <see cref="LastTick"/> comes from: <c>timer</c>, <c>timer-queue</c>, <c>pool</c>, <c>activity</c>.</summary>
    public string? LastTickFrom { get; init; }

    /// <summary><c>linux</c>, <c>windows</c> or <c>macos</c>.</summary>
    public required string Os { get; init; }

    /// <summary><c>x64</c>, <c>arm64</c>, ...</summary>
    public required string Architecture { get; init; }

    /// <summary>Runtime version, <c>10.0.12</c>; null if the target does not contain it.</summary>
    public string? Runtime { get; init; }

    /// <summary>Async families found in use: <c>runtime-async</c>, <c>state-machine</c>, <c>pooled</c>, <c>tasklet</c>.</summary>
    public ImmutableArray<string> Families { get; init; } = [];

    /// <summary>Layouts that stacks were read by, and where each came from.</summary>
    public ImmutableArray<LayoutUse> Layouts { get; init; } = [];

    /// <summary>How long a live target was stopped, in milliseconds; null if it was not stopped.</summary>
    public double? FreezeMs { get; init; }

    /// <summary>How often it was read for this answer, so that what has moved is known; null for once.</summary>
    public int? Looks { get; init; }

    /// <summary>Milliseconds between the first reading and the last; null if it was read once.</summary>
    public long? ApartMs { get; init; }

    /// <summary>State of its thread pool; null if it has not used it, or it could not be read.</summary>
    public PoolFacts? Pool { get; init; }

    /// <summary>A debugger had already stopped it.</summary>
    public bool Held { get; init; }
}

/// <summary>A layout by which stacks were read.</summary>
/// <param name="Contract">What it describes: <c>Async2Continuations</c>, <c>Async2Tasklets</c>.</param>
/// <param name="Version">Which algorithm it is for, <c>1</c>.</param>
/// <param name="Source">Who says so: <c>metadata</c>, <c>file my.json</c>, <c>built in net10</c>.</param>
public sealed record LayoutUse(string Contract, string Version, string Source);

/// <summary>Kind of source of a snapshot.</summary>
public enum TargetKind
{
    /// <summary>A live process.</summary>
    Process,

    /// <summary>A core dump or minidump.</summary>
    Dump,

    /// <summary>A snapshot file of this tool.</summary>
    Snapshot,
}
