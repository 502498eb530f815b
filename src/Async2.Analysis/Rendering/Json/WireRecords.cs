using System.Collections.Immutable;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
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
        Looks = target.Looks,
        ApartMs = target.ApartMs,
        LastTick = target.LastTick,
        LastTickFrom = target.LastTickFrom,
        Pool = target.Pool is { } pool ? new PoolRecord(pool) : null,
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
        Id = finding.Id.Length == 0 ? null : finding.Id,
        Key = finding.Key.Length == 0 ? null : finding.Key,
        Blocked = finding.Blocked == 0 ? null : finding.Blocked,
        Evidence = finding.Evidence.IsDefaultOrEmpty ? null : finding.Evidence.Select(Of),
        Motion = finding.Motion == Motion.Unknown ? null : finding.Motion,
        Still = finding.Still is { } still ? new(still.AtLeastMs, still.Looks, still.OfLooks) : null,
        Age = AgeRecord.Of(finding.Age, finding.Age?.Stacks ?? 0),
        Labels = finding.Labels.IsDefaultOrEmpty ? null : finding.Labels.Select(Of),
        DisprovedBy = finding.DisprovedBy,
        Next = finding.Next,
    };

    public static FindingLabelRecord Of(FindingLabel label)
        => new(label.Name, label.Count, label.Values, label.Largest.Select(share => new LabelShareRecord(share.Value, share.Count) { Trace = share.Trace })) { Text = FindingLabelFormatter.Line(label) };

    public static EvidenceRecord Of(Evidence step) => new(step.Text)
    {
        Method = step.Method,
        File = step.File,
        Line = step.Line,
        Stack = step.Stack,
        Relation = step.Relation,
        To = Hex(step.To),
    };

    public static ProblemRecord Of(Problem problem) => new(problem.Code, problem.Text) { Address = Hex(problem.Address) };

    /// <summary>Null instead of an empty list: absent means none.</summary>
    public static string[]? NotEmpty(ImmutableArray<string> ids) => ids.IsDefaultOrEmpty ? null : [.. ids];

    /// <summary>An address; null if unknown.</summary>
    public static string? Hex(ulong? address) => address is ulong known ? DisplayText.Hex(known) : null;
}
