using Async2.Analysis.Comparison;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Changes;

/// <summary>Makes what the page of a comparison draws.</summary>
internal static class DiffPages
{
    // Who wants more looks at one of the two targets.
    private const int FrameLimit = 60;

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
            Groups = busy.Take(options.Limit ?? int.MaxValue).Select(group => Of(group, ways[group.Stack.Id])),
            Findings = diff.Findings.Select(Of),
            Queues = diff.Queues.Select(queue => new QueueRecord(SafeText.Escape(queue.Name), queue.Before, queue.After)),
            Problems = diff.Problems.Select(problem => WireRecords.Of(problem) with { Text = SafeText.Escape(problem.Text) }),
        };
    }

    /// <summary><c>address</c>, <c>clock 12, order 3</c>; null if none was stuck.</summary>
    public static string? KnownText(DiffGroup group) => group.Known.IsEmpty ? null
        : string.Join(", ", group.Known.Select(known => group.Known.Length == 1 ? DisplayText.Of(known.By) : $"{DisplayText.Of(known.By)} {DisplayText.Number(known.Stacks)}"));

    private static TargetRecord Of(TargetFacts target) => WireRecords.Of(target) with { Path = SafeText.Escape(target.Path), Runtime = SafeText.Escape(target.Runtime) };

    private static DiffRow Of(DiffGroup group, IEnumerable<DiffMove> ways)
    {
        LogicalStack stack = group.Stack;
        LogicalFrame? own = stack.Frames.FirstOrDefault(frame => !frame.IsFramework) ?? (stack.Frames.Count > 0 ? stack.Frames[0] : null);
        return new()
        {
            Id = stack.Id,
            State = stack.State,
            Name = SafeText.Escape(own is null ? "unknown code" : PlaceFormatter.Method(own)),
            Wait = SafeText.Escape(StackEnds.WaitOf(stack)),
            WaitDetail = SafeText.Escape(stack.WaitingOn?.FullText),
            Labels = SafeText.Escape(LabelLine.Of(stack)),
            Counts = new(group.Counts),
            Left = group.Left,
            Known = KnownText(group),
            Frames = stack.Frames.Take(FrameLimit).Select(Of),
            More = stack.Frames.Count > FrameLimit ? stack.Frames.Count - FrameLimit : null,
            Ways = ways.Any() ? ways.Select(way => new DiffWay(way.To, way.Count)) : null,
        };
    }

    private static DiffFrame Of(LogicalFrame frame)
        => new(SafeText.Escape(frame.Method), LocationText.Of(frame) is { Length: > 0 } place ? SafeText.Escape(place) : null, frame.IsFramework ? true : null);

    private static DiffFinding Of(FindingChange change)
        => new(change.Change, change.Finding.Severity, change.Finding.Confidence, change.Finding.Rule, SafeText.Escape(change.Finding.Text));
}
