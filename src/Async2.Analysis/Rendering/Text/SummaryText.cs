using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Text;

/// <summary>The first lines of an answer: findings, then one sentence that says what the program is doing.</summary>
public static class SummaryText
{
    /// <summary>Writes findings, the sentence, and the line about the target.</summary>
    /// <param name="text">Where to write.</param>
    /// <param name="snapshot">The answer.</param>
    /// <param name="findingsOnly">Says so when there are none.</param>
    /// <param name="all">Also findings that are too many to be read at once.</param>
    public static void Write(StyledText text, StackView snapshot, bool findingsOnly = false, bool all = false)
    {
        // Who asks for some stacks wants to know what is wrong with those.
        ImmutableArray<Finding> shown = snapshot.Matching is null || findingsOnly ? snapshot.Findings : [.. snapshot.Findings.Where(finding => finding.Stacks.Length > 0)];
        FindingText.Write(text, shown, all);
        if (findingsOnly && snapshot.Findings.IsDefaultOrEmpty)
            new Paragraph(text).Add(snapshot.Complete ? TextRole.Good : TextRole.Problem, snapshot.Complete ? "no findings" : "no findings in what could be read").End();
        new Paragraph(text).Add(TextRole.Heading, Sentence(snapshot)).End();
        if (shown.Length < snapshot.Findings.Length)
            new Paragraph(text).Add(TextRole.Dim, $"{DisplayText.Count(snapshot.Findings.Length - shown.Length, "finding")} about other stacks").End();
    }

    /// <summary><c>412 stacks suspended in 3 groups; the largest, 400x, waits for SemaphoreSlim</c>.</summary>
    public static string Sentence(StackView snapshot)
    {
        if (snapshot.Totals.Stacks == 0)
            return snapshot.Complete ? "no async stacks: no async method is suspended or running" : "no async stacks found, but the answer is partial";
        return snapshot.Matching is { } matching ? Matching(snapshot, matching) : Everything(snapshot);
    }

    private static string Everything(StackView snapshot)
    {
        SnapshotTotals totals = snapshot.Totals;
        if (totals.Idle > 0)
            return WithIdle(snapshot);
        string groups = Groups(totals, " in "), states = States(snapshot), all = AllIn(snapshot);
        return All(snapshot) + (all.Length > 0 ? " " + all + groups : groups + states) + Largest(snapshot, totals.Stacks);
    }

    // "27 stacks suspended in 9 groups; the largest, 8x, waits for SemaphoreSlim; and 101 idle loops"
    private static string WithIdle(StackView snapshot)
    {
        LogicalStack[] busy = [.. snapshot.Stacks.Where(stack => stack.Idle is null)];
        long stacks = snapshot.Totals.Stacks - snapshot.Totals.Idle;
        string idle = DisplayText.Count(snapshot.Totals.Idle, "idle loop");
        if (stacks == 0)
            return (snapshot.Complete ? "" : "at least ") + $"{idle}, and no other stack";
        StackView others = snapshot with { Stacks = [.. busy], Totals = snapshot.Totals with { Stacks = stacks, Groups = busy.Length, Idle = 0 } };
        return $"{Everything(others)}; and {idle}";
    }

    // "3 of 410 stacks match --method Pay, in 2 groups: 2 awaiting, 1 active; the largest, 2x, waits for Task.Delay"
    private static string Matching(StackView snapshot, MatchingTotals matching)
    {
        SnapshotTotals totals = matching.Totals;
        if (totals.Stacks == 0)
            return $"none of {All(snapshot)} matches {matching.Filter}";
        string verb = totals.Stacks == 1 ? "matches" : "match";
        return $"{DisplayText.Number(totals.Stacks)} of {All(snapshot)} {verb} {matching.Filter}{Groups(totals, ", in ")}{States(snapshot)}{Largest(snapshot, totals.Stacks)}";
    }

    private static string All(StackView snapshot) => (snapshot.Complete ? "" : "at least ") + DisplayText.Count(snapshot.Totals.Stacks, "stack");

    private static string Groups(SnapshotTotals totals, string before) => totals switch
    {
        { Stacks: 1 } => "",
        { Groups: 1 } => ", all alike",
        _ when totals.Groups == totals.Stacks => ", no two alike",
        _ => before + DisplayText.Count(totals.Groups, "group"),
    };

    // The state of all of them; empty if they differ.
    private static string AllIn(StackView snapshot) => snapshot.Stacks.Select(stack => stack.State).Distinct().ToArray() switch
    {
        [] or [StackState.Awaiting] => "suspended",
        [StackState state] => DisplayText.Of(state),
        _ => "",
    };

    // Empty if all just wait.
    private static string States(StackView snapshot)
    {
        if (snapshot.Stacks.All(stack => stack.State == StackState.Awaiting))
            return "";
        IEnumerable<string> parts = snapshot.Stacks
            .GroupBy(stack => stack.State)
            .OrderBy(group => group.Key)
            .Select(group => $"{DisplayText.Number(group.Sum(stack => stack.Count))} {DisplayText.Of(group.Key)}");
        return ": " + string.Join(", ", parts);
    }

    private static string Largest(StackView snapshot, long stacks)
    {
        if (snapshot.Stacks.IsDefaultOrEmpty)
            return "";
        LogicalStack first = snapshot.Stacks[0];
        bool isOnly = stacks == 1, isAll = first.Count == stacks;
        if (!isOnly && first.Count == 1)
            return "";
        string subject = isOnly ? "; it " : isAll ? "; all " : $"; the largest, {DisplayText.Number(first.Count)}x, ";
        bool plural = isAll && !isOnly;
        return subject + (StackEnds.WaitOf(first) is string wait && first.WaitingOn is { IsDone: false } ? (plural ? "wait for " : "waits for ") + wait : Place(first, plural));
    }

    private static string Place(LogicalStack stack, bool plural)
        => (plural ? "are in " : "is in ") + (stack.Frames.Count == 0 ? "unknown code" : stack.Frames[0].Method);
}
