using System.Collections.Immutable;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Snapshots;

/// <summary>Says in a snapshot what the target was.</summary>
internal static class TargetFactsReader
{
    public static TargetFacts Read(Target target, ImmutableArray<string> families) => new()
    {
        Kind = target.Origin.IsDump ? TargetKind.Dump : TargetKind.Process,
        Pid = target.Origin.Pid,
        Path = target.Origin.DumpPath,
        Os = target.OsName,
        Architecture = target.ArchitectureName,
        Runtime = target.Origin.RuntimeVersion,
        Families = families,
        FreezeMs = target.FrozenFor is { } frozen ? Math.Round(frozen.TotalMilliseconds, 1) : null,
        Held = target.Origin is { IsHosted: true, IsDump: false } or { Copy.IsHeld: true },
    };
}
