using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Rendering.Text;

/// <summary>Findings as blocks of a few lines, worst first, as one pastes them into a ticket.</summary>
public static class FindingText
{
    // What nobody reads at once is in JSON; the rest is counted.
    private const int FindingLimit = 8;
    private const int StepLimit = 8;
    private const int StackLimit = 6;
    private const int LabelLimit = 3;

    /// <summary>Writes all of them, with an empty line behind; nothing if there are none.</summary>
    /// <param name="text">Where to write.</param>
    /// <param name="findings">Worst first.</param>
    /// <param name="all">Also those that are too many to be read at once.</param>
    public static void Write(StyledText text, ImmutableArray<Finding> findings, bool all = false)
    {
        if (findings.IsDefaultOrEmpty)
            return;
        int shown = all ? findings.Length : Math.Min(findings.Length, FindingLimit);
        foreach (Finding finding in findings.Take(shown))
            Write(text, finding, all);
        if (shown < findings.Length)
            new Paragraph(text).Add(TextRole.Dim, $"{DisplayText.Count(findings.Length - shown, "more finding")}: --all shows them").End();
        text.Line();
    }

    private static void Write(StyledText text, Finding finding, bool all)
    {
        TextRole role = finding.Severity == Severity.Error ? TextRole.Error : finding.Severity == Severity.Warning ? TextRole.Problem : TextRole.Dim;
        Paragraph line = new Paragraph(text)
            .Add(role, DisplayText.Of(finding.Severity) + ": " + finding.Rule)
            .Add("  ").Add(TextRole.Heading, finding.Text)
            .Add("  ").Add(TextRole.Dim, "(" + DisplayText.Of(finding.Confidence));
        if (finding.Motion != Motion.Unknown)
            line.Add(TextRole.Dim, finding.Motion == Motion.Still ? StillText(finding.Still) : "; has moved since the first look");
        if (finding.Blocked > 1)
            line.Add(TextRole.Dim, $"; {DisplayText.Count(finding.Blocked, "stack")} hang on it");
        if (!finding.Stacks.IsDefaultOrEmpty)
            line.Add(TextRole.Dim, "; ").Add(TextRole.Address, string.Join(", ", finding.Stacks.Take(StackLimit))).Add(TextRole.Dim, finding.Stacks.Length > StackLimit ? ", ..." : "");
        line.Add(TextRole.Dim, ")").End();
        foreach (FindingLabel label in finding.Labels.Take(LabelLimit))
        {
            if (FindingLabelFormatter.Values(label) is { } values)
                new Paragraph(text, indent: 2, hanging: 4).Add(TextRole.Dim, FindingLabelFormatter.Name(label)).Add(values).End();
        }
        Evidence[] steps = [.. finding.Evidence.Where(step => !IsInSentence(step, finding.Text))];
        foreach (Evidence step in all ? steps : steps.Take(StepLimit))
            new Paragraph(text, indent: 2, hanging: 4).Add(step.Text).Add(step.Stack is null ? "" : " ").Add(TextRole.Address, step.Stack ?? "").End();
        if (!all && steps.Length > StepLimit)
            new Paragraph(text).Add(TextRole.Dim, $"  {DisplayText.Count(steps.Length - StepLimit, "more step")}: --all shows them").End();
        if (finding.DisprovedBy is { } disproof)
            new Paragraph(text, indent: 2, hanging: 4).Add(TextRole.Dim, "wrong if: ").Add(TextRole.Dim, disproof).End();
        if (finding.Next is { } next)
            new Paragraph(text, indent: 2, hanging: 4).Add(TextRole.Dim, "next: ").Add(TextRole.Dim, next).End();
    }

    // Two looks say no more than that.
    private static string StillText(StillFor? still) => still is not { OfLooks: > 2 } ? "; has not moved"
        : $"; stuck for at least {WaitNumbers.Duration(still.AtLeastMs)} in {(still.Looks == still.OfLooks ? "all" : $"the last {DisplayText.Number(still.Looks)} of")} {DisplayText.Count(still.OfLooks, "look")}";

    // A sentence that names the place of an edge has said what it is.
    private static bool IsInSentence(Evidence step, string text) => text.Contains(step.Text, StringComparison.Ordinal)
        || (step is { Relation: not null, File: { } file, Line: { } line } && text.Contains($"{file[(file.LastIndexOfAny(['/', '\\']) + 1)..]}:{line.ToString(CultureInfo.InvariantCulture)})", StringComparison.Ordinal));
}
