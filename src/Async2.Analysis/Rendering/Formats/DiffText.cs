using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Comparison;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Changes;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>What changed between two targets, as text: a sentence, findings, queues, then groups of stacks with what became of them.</summary>
internal sealed class DiffText(StyledText text, RenderOptions options)
{
    private const int ListLimit = 8;

    public void Write(TargetDiff diff)
    {
        new Paragraph(text).Add(TextRole.Heading, Sentence(diff)).End();
        TargetText.Write(text, diff.Before, options.Verbose);
        TargetText.Write(text, diff.After, options.Verbose);
        WriteFindings(diff.Findings);
        WriteQueues(diff.Queues);
        DiffGroup[] all = [.. diff.Groups], busy = [.. all.Where(group => options.ShowIdle || group.Stack.Idle is null)];
        DiffGroup[] shown = [.. busy.Take(options.Limit ?? int.MaxValue)];
        var frames = new FrameLines(text, options.LeafFirst);
        var stacks = new GroupText(text, frames, options.LeafFirst);
        foreach (DiffGroup group in shown)
            Write(group, stacks);
        WriteRest(busy.Length - shown.Length, all.Except(busy).Sum(group => group.Counts.After));
        WriteMoves(diff.Moves);
        TextRenderer.WriteLegend(text, frames.Marks);
        ProblemsText.Write(text, diff.Problems, diff.Complete, options.Verbose);
    }

    // "497 of 512 stacks have not moved in 5.2 s; 10 moved, 5 are new, 3 are gone"
    public static string Sentence(TargetDiff diff)
    {
        ChangeCounts totals = diff.Totals;
        string time = diff.ApartMs is { } apart ? " in " + WaitNumbers.Duration(apart) : "";
        string matching = diff.Filter is { } filter ? $" that match {filter}" : "";
        if (totals.Before + totals.After == 0)
            return "no async stacks in either of them" + matching;
        string stuck = totals.Stuck == totals.After ? $"{DisplayText.Count(totals.After, "stack")}{matching}: none has moved{time}"
            : $"{DisplayText.Number(totals.Stuck)} of {DisplayText.Count(totals.After, "stack")}{matching} {(totals.Stuck == 1 ? "has" : "have")} not moved{time}";
        string[] others = Parts([(totals.Moved, "moved"), (totals.New, "new"), (totals.Gone, "gone")]);
        return stuck + (others.Length > 0 ? "; " + string.Join(", ", others) : "") + (diff.Collected == true ? "; garbage was collected between" : "");
    }

    private static string[] Parts((long Count, string What)[] parts) => [.. parts.Where(part => part.Count > 0).Select(part => $"{DisplayText.Number(part.Count)} {part.What}")];

    private void WriteFindings(ImmutableArray<FindingChange> findings)
    {
        foreach (FindingChange change in findings)
        {
            TextRole role = change.Change == FindingFate.Gone ? TextRole.Good : change.Finding.Severity == Severity.Error ? TextRole.Error : change.Finding.Severity == Severity.Warning ? TextRole.Problem : TextRole.Dim;
            new Paragraph(text).Add(role, $"{DisplayText.Of(change.Change)}: {change.Finding.Rule}").Add("  ").Add(change.Finding.Text)
                .Add("  ").Add(TextRole.Dim, $"({DisplayText.Of(change.Finding.Severity)}, {DisplayText.Of(change.Finding.Confidence)})").End();
        }
    }

    private void WriteQueues(ImmutableArray<QueueChange> queues)
    {
        foreach (QueueChange queue in queues.Take(ListLimit))
            new Paragraph(text).Add(TextRole.Wait, queue.Name).Add(TextRole.Dim, ": ").Add($"{DisplayText.Number(queue.Before)} -> {DisplayText.Number(queue.After)} waiting").End();
        if (queues.Length > ListLimit)
            new Paragraph(text).Add(TextRole.Dim, $"and {DisplayText.Count(queues.Length - ListLimit, "more queue")} of another length").End();
    }

    private void Write(DiffGroup group, GroupText stacks)
    {
        text.Line();
        ChangeCounts counts = group.Counts;
        string[] parts = Parts([(counts.Stuck, "stuck"), (counts.Moved, "moved here"), (counts.New, "new"), (group.Left, "moved on"), (counts.Gone, "gone")]);
        Paragraph heading = new Paragraph(text).Add(TextRole.Dim, "== ").Add(counts.Stuck > 0 ? TextRole.Heading : TextRole.Plain, string.Join(", ", parts.DefaultIfEmpty("no change")))
            .Add("  ").Add(TextRole.Count, string.Create(CultureInfo.InvariantCulture, $"{DisplayText.Number(counts.Before)} -> {DisplayText.Number(counts.After)}"));
        if (DiffPages.KnownText(group) is { } known)
            heading.Add("  ").Add(TextRole.Dim, $"(known by {known})");
        heading.End();
        stacks.Write(group.Stack);
    }

    private void WriteRest(int groups, long idle)
    {
        if (groups > 0)
            new Paragraph(text).Add(TextRole.Dim, $"and {DisplayText.Count(groups, "more group")}: --limit shows them").End();
        if (idle > 0)
            new Paragraph(text).Add(TextRole.Dim, $"and {DisplayText.Count(idle, "idle loop")}: --include-framework shows them").End();
    }

    private void WriteMoves(ImmutableArray<DiffMove> moves)
    {
        if (moves.IsEmpty)
            return;
        text.Line();
        foreach (DiffMove move in moves.Take(ListLimit))
        {
            string way = move.From == move.To ? $"went on and came back to {move.To}" : $"went from {move.From ?? "another group"} to {move.To}";
            new Paragraph(text).Add(TextRole.Count, DisplayText.Number(move.Count)).Add(" " + way).End();
        }
        if (moves.Length > ListLimit)
            new Paragraph(text).Add(TextRole.Dim, $"and {DisplayText.Count(moves.Length - ListLimit, "other way")}").End();
    }
}
