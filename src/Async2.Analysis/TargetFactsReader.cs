using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Families;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis;

/// <summary>Says in a snapshot what the target was.</summary>
internal static class TargetFactsReader
{
    public static TargetFacts Read(Target target, ImmutableArray<string> families, RuntimeLayout layout)
    {
        string[] command = target.Origin is { IsDump: false, Pid: { } pid } ? ProcessDirectory.Here.Arguments(pid) : [];
        return new()
        {
            Kind = target.Origin.IsDump ? TargetKind.Dump : TargetKind.Process,
            Pid = target.Origin.Pid,
            Path = target.Origin.DumpPath,
            ProcessName = command.Length == 0 ? null : Path.GetFileName(command[0]),
            CommandLine = command.Length == 0 ? null : string.Join(' ', command),
            HostName = target.Origin.IsDump ? null : Environment.MachineName,
            TakenAt = target.CapturedAt.Wall,
            Tick = target.CapturedAt.Tick,
            Os = target.OsName,
            Architecture = target.ArchitectureName,
            Runtime = target.Origin.RuntimeVersion,
            Families = families,
            Layouts = Used(layout),
            FreezeMs = FrozenFor(target),
            Held = target.Origin is { IsHosted: true, IsDump: false } or { Copy.IsHeld: true },
        };
    }

    /// <summary>How long a live target was stopped so far, in milliseconds; null if it was not stopped.</summary>
    public static double? FrozenFor(Target target) => target.FrozenFor is { } frozen ? Math.Round(frozen.TotalMilliseconds, 1) : null;

    private static ImmutableArray<LayoutUse> Used(RuntimeLayout layout)
    {
        var used = ImmutableArray.CreateBuilder<LayoutUse>();
        if (layout.Continuation is { } continuation)
            Add(layout.Facts.Contract(AsyncLayoutParts.Continuations) ?? new(AsyncLayoutParts.Continuations, Number(continuation.Shape), LayoutSource.Metadata), used);
        foreach (ContractFact contract in AsyncFamilies.All.SelectMany(family => family.LayoutsUsed(layout)))
            Add(contract, used);
        return used.ToImmutable();
    }

    private static string Number(ContinuationShape shape) => ((int)shape).ToString(CultureInfo.InvariantCulture);

    private static void Add(ContractFact contract, ImmutableArray<LayoutUse>.Builder used) => used.Add(new(contract.Name, contract.Version, contract.Source.Name));
}
