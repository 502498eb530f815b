using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Json;

/// <summary>Records common to all JSON formats: target, totals, findings, problems.</summary>
internal static class WireRecords
{
    public static TargetRecord Of(TargetFacts target) => new()
    {
        Kind = target.Kind,
        Pid = target.Pid,
        Path = target.Path,
        Os = target.Os,
        Architecture = target.Architecture,
        Runtime = target.Runtime,
        Families = target.Families,
        Layouts = target.Layouts.IsDefaultOrEmpty ? null : target.Layouts.Select(layout => new LayoutRecord(layout.Contract, layout.Version, layout.Source)),
        FreezeMs = target.FreezeMs,
        Held = target.Held ? true : null,
    };

    public static TotalsRecord Of(SnapshotTotals totals) => new(totals.Stacks, totals.Frames, totals.Groups) { Idle = totals.Idle == 0 ? null : totals.Idle };

    public static FindingRecord Of(Finding finding) => new()
    {
        Rule = finding.Rule,
        Severity = finding.Severity,
        Confidence = finding.Confidence,
        Text = finding.Text,
        Stacks = finding.Stacks,
    };

    public static ProblemRecord Of(Problem problem) => new(problem.Code, problem.Text) { Address = Hex(problem.Address) };

    /// <summary>Null instead of an empty list: absent means none.</summary>
    public static string[]? NotEmpty(ImmutableArray<string> ids) => ids.IsDefaultOrEmpty ? null : [.. ids];

    /// <summary>An address; null if unknown.</summary>
    public static string? Hex(ulong? address) => address is ulong known ? DisplayText.Hex(known) : null;
}
