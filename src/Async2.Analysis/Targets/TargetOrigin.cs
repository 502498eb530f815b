using System.Collections.Immutable;

namespace Async2.Analysis.Targets;

/// <summary>Where a target came from and what was already known to be wrong with it when it was opened.</summary>
internal sealed record TargetOrigin
{
    /// <summary>Pid of a live process, or of the dumped one where the dump tells.</summary>
    public int? Pid { get; init; }

    /// <summary>The dump file; null for a process.</summary>
    public string? DumpPath { get; init; }

    /// <summary>Stopwatch timestamp of the moment the process was stopped; null when it was not.</summary>
    public long? FrozenSince { get; init; }

    /// <summary>Version of the runtime, <c>10.0.12</c>, where it could be told.</summary>
    public string? RuntimeVersion { get; init; }

    /// <summary>Problems found while opening.</summary>
    public ImmutableArray<Problem> Problems { get; init; } = [];

    public bool IsDump => DumpPath is not null;
}
