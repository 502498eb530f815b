using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Rendering;

/// <summary>The end of every answer: what could not be read, grouped by kind, and a last line that counts it.</summary>
internal static class ProblemsText
{
    private const int TextsOfAKind = 3;

    /// <summary>Writes the problems and the count, with an empty line before.</summary>
    public static void Write(StyledText text, AsyncSnapshot snapshot, bool all)
    {
        text.Line();
        foreach (IGrouping<string, Problem> kind in snapshot.Problems.GroupBy(problem => problem.Code).OrderBy(kind => kind.Key, StringComparer.Ordinal))
            WriteKind(text, kind.ToList(), all);
        int count = snapshot.Problems.Length;
        TextRole role = count == 0 && snapshot.Complete ? TextRole.Dim : TextRole.Problem;
        string outcome = snapshot.Complete ? count == 0 ? "" : ", all stacks found" : ", answer is partial";
        new Paragraph(text).Add(role, Words.Count(count, "problem") + outcome).End();
    }

    private static void WriteKind(StyledText text, List<Problem> problems, bool all)
    {
        int shown = all ? problems.Count : Math.Min(TextsOfAKind, problems.Count);
        // With one text too many, printing it takes no more room than saying that it was left out.
        if (problems.Count == shown + 1)
            shown++;
        text.Write(TextRole.Problem, Words.Number(problems.Count) + "x ");
        text.Write(TextRole.Dim, problems[0].Code);
        text.Line();
        foreach (Problem problem in problems.Take(shown))
            WriteOne(text, problem);
        if (problems.Count > shown)
            text.Line($"  and {Words.Number(problems.Count - shown)} more (--verbose shows them)");
    }

    private static void WriteOne(StyledText text, Problem problem)
    {
        Paragraph line = new Paragraph(text, indent: 2, hanging: 4).Add(problem.Text);
        if (problem.Address is ulong address)
            line.Add("  ").Add(TextRole.Address, Words.Hex(address));
        line.End();
    }
}
