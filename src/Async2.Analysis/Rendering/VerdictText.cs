using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;

namespace Async2.Analysis.Rendering;

/// <summary>The first lines of an answer: findings, then one sentence that says what the program is doing.</summary>
internal static class VerdictText
{
    /// <summary>Writes findings, the sentence, and the line about the target.</summary>
    public static void Write(StyledText text, AsyncSnapshot snapshot)
    {
        foreach (Finding finding in snapshot.Findings)
            WriteFinding(text, finding);
        new Paragraph(text).Add(TextRole.Heading, Sentence(snapshot)).End();
    }

    /// <summary><c>412 stacks suspended in 3 groups; the largest, 400x, waits for SemaphoreSlim</c>.</summary>
    public static string Sentence(AsyncSnapshot snapshot)
    {
        SnapshotTotals totals = snapshot.Totals;
        if (totals.Stacks == 0)
            return snapshot.Complete ? "no async stacks: no async method is suspended or running" : "no async stacks found, but the answer is partial";
        string doing = snapshot.Stacks.All(stack => stack.State == StackState.Awaiting) ? " suspended" : "";
        string counts = (snapshot.Complete ? "" : "at least ") + Words.Count(totals.Stacks, "stack") + doing + Groups(totals) + States(snapshot, doing.Length > 0);
        return snapshot.Stacks.IsDefaultOrEmpty ? counts : counts + Largest(snapshot, totals.Stacks == 1);
    }

    private static string Groups(SnapshotTotals totals) => totals switch
    {
        { Stacks: 1 } => "",
        { Groups: 1 } => ", all alike",
        _ when totals.Groups == totals.Stacks => ", no two alike",
        _ => " in " + Words.Count(totals.Groups, "group"),
    };

    private static string States(AsyncSnapshot snapshot, bool allAwaiting)
    {
        if (allAwaiting)
            return "";
        IEnumerable<string> parts = snapshot.Stacks
            .GroupBy(stack => stack.State)
            .OrderBy(group => group.Key)
            .Select(group => $"{Words.Number(group.Sum(stack => stack.Count))} {Words.Of(group.Key)}");
        return ": " + string.Join(", ", parts);
    }

    private static string Largest(AsyncSnapshot snapshot, bool only)
    {
        LogicalStack first = snapshot.Stacks[0];
        if (!only && first.Count == 1)
            return "";
        string subject = only || first.Count == snapshot.Totals.Stacks
            ? first.Count == 1 ? "; it " : "; all "
            : $"; the largest, {Words.Number(first.Count)}x, ";
        bool plural = first.Count == snapshot.Totals.Stacks && first.Count > 1;
        return subject + (WaitText.Short(first) is string wait ? (plural ? "wait for " : "waits for ") + wait : Place(first, plural));
    }

    private static string Place(LogicalStack stack, bool plural)
        => (plural ? "are in " : "is in ") + (stack.Frames.IsDefaultOrEmpty ? "unknown code" : stack.Frames[0].Method);

    private static void WriteFinding(StyledText text, Finding finding)
    {
        TextRole role = finding.Severity == Severity.Error ? TextRole.Error : TextRole.Problem;
        Paragraph line = new Paragraph(text)
            .Add(role, Words.Of(finding.Severity) + ": " + finding.Rule)
            .Add("  ").Add(TextRole.Heading, finding.Text)
            .Add("  ").Add(TextRole.Dim, "(" + Words.Of(finding.Confidence));
        if (!finding.Stacks.IsDefaultOrEmpty)
            line.Add(TextRole.Dim, "; ").Add(TextRole.Address, string.Join(", ", finding.Stacks));
        line.Add(TextRole.Dim, ")").End();
    }
}
