using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Changes;

/// <summary>Makes what the page of a comparison draws.</summary>
internal static class DiffPages
{
    /// <param name="diff">The comparison.</param>
    /// <param name="verdict">In a sentence.</param>
    /// <param name="options">Which groups.</param>
    public static DiffPage Of(TargetDiff diff, string verdict, RenderOptions options)
    {
        DiffGroup[] busy = [.. diff.Groups.Where(group => options.ShowIdle || group.Stack.Idle is null)];
        ILookup<string, DiffMove> ways = diff.Moves.Where(move => move.From is not null).ToLookup(move => move.From!);
        return new()
        {
            Verdict = SafeText.Escape(verdict),
            Before = Of(diff.Before),
            After = Of(diff.After),
            Totals = new(diff.Totals),
            Complete = diff.Complete,
            Filter = SafeText.Escape(diff.Filter),
            Idle = diff.Groups.Except(busy).Sum(group => group.Counts.After),
            Groups = busy.Take(options.Limit ?? int.MaxValue).Select(group => new DiffRow(group, ways[group.Stack.Id])),
            Findings = diff.Findings.Select(Of),
            Queues = diff.Queues.Select(queue => new QueueRecord(SafeText.Escape(queue.Name), queue.Before, queue.After)),
            Problems = diff.Problems.Select(Of),
        };
    }

    /// <summary><c>address</c>, <c>clock 12, order 3</c>; null if none was stuck.</summary>
    public static string? KnownText(DiffGroup group) => group.Known.IsEmpty ? null
        : string.Join(", ", group.Known.Select(known => group.Known.Length == 1 ? DisplayText.Of(known.By) : $"{DisplayText.Of(known.By)} {DisplayText.Number(known.Stacks)}"));

    /// <summary>A target, harmless.</summary>
    public static TargetRecord Of(TargetFacts target) => WireRecords.Of(target) with { Path = SafeText.Escape(target.Path), Runtime = SafeText.Escape(target.Runtime) };

    /// <summary>A problem, harmless.</summary>
    public static ProblemRecord Of(Problem problem) => WireRecords.Of(problem) with { Text = SafeText.Escape(problem.Text) };

    private static DiffFinding Of(FindingChange change)
        => new(change.Change, change.Finding.Severity, change.Finding.Confidence, change.Finding.Rule, SafeText.Escape(change.Finding.Text));
}
