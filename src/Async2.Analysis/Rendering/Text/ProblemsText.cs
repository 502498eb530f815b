using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Text;

/// <summary>The end of every answer: the problems, grouped by kind, and a last line with their number.</summary>
public static class ProblemsText
{
    private const int TextsOfAKind = 3;

    /// <summary>Writes the problems and their number, after an empty line.</summary>
    /// <param name="text">Where to.</param>
    /// <param name="snapshot">Has the problems.</param>
    /// <param name="all">All of them, not a few of each kind.</param>
    /// <param name="more">The option that shows all of them.</param>
    public static void Write(StyledText text, StackView snapshot, bool all, string more = "--verbose") => Write(text, snapshot.Problems, snapshot.Complete, all, more);

    /// <summary>The same of any answer.</summary>
    internal static void Write(StyledText text, ImmutableArray<Problem> problems, bool isComplete, bool all, string more = "--verbose")
    {
        text.Line();
        foreach (IGrouping<string, Problem> kind in problems.GroupBy(problem => problem.Code).OrderBy(kind => kind.Key, StringComparer.Ordinal))
            WriteKind(text, [.. kind], all, more);
        int count = problems.Length;
        TextRole role = count == 0 && isComplete ? TextRole.Dim : TextRole.Problem;
        string outcome = isComplete ? count == 0 ? "" : ", all stacks found" : ", answer is partial";
        new Paragraph(text).Add(role, DisplayText.Count(count, "problem") + outcome).End();
    }

    private static void WriteKind(StyledText text, Problem[] problems, bool all, string more)
    {
        var header = new Paragraph(text);
        header.Add(TextRole.Problem, DisplayText.Number(problems.Length) + "x").Add(" ").Add(TextRole.Dim, problems[0].Code);
        if (problems.Length == 1)
        {
            AddText(header.Add("  "), problems[0]).End();
            return;
        }
        header.End();
        // If only one text is omitted, printing it takes no more room than saying so.
        int shown = all || problems.Length <= TextsOfAKind + 1 ? problems.Length : TextsOfAKind;
        foreach (Problem problem in problems.Take(shown))
            AddText(new Paragraph(text, indent: 2, hanging: 4), problem).End();
        if (problems.Length > shown)
            text.Line($"  and {DisplayText.Number(problems.Length - shown)} more ({more} shows them)");
    }

    private static Paragraph AddText(Paragraph line, Problem problem)
    {
        line.Add(problem.Text);
        string? address = problem.Address is ulong known ? DisplayText.Hex(known) : null;
        return address is null || problem.Text.Contains(address, StringComparison.Ordinal) ? line : line.Add("  ").Add(TextRole.Address, address);
    }
}
