using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Doctor;

/// <summary>The doctor's findings as text: a summary, a line for each check, a fix under each that is not ok.</summary>
internal static class DoctorReport
{
    /// <summary>Writes all findings.</summary>
    public static void Write(StyledText text, IReadOnlyList<CheckResult> results)
    {
        text.Write(TextRole.Heading, Summary(results));
        text.Line();
        int subject = results.Max(result => result.Subject.Length);
        foreach (CheckResult result in results)
        {
            new Paragraph(text, hanging: 6 + subject + 2)
                .Keep(Role(result.Level), DisplayText.Of(result.Level).PadRight(6))
                .Keep(TextRole.Dim, result.Subject.PadRight(subject + 2))
                .Add(result.Text)
                .End();
            if (result.Fix is not null)
                new Paragraph(text, indent: 6, hanging: 11).Add(TextRole.Good, "fix: ").Add(result.Fix).End();
        }
    }

    private static string Summary(IReadOnlyList<CheckResult> results)
    {
        int bad = results.Count(result => result.Level == CheckLevel.Fail), odd = results.Count(result => result.Level == CheckLevel.Warn);
        if (bad + odd == 0)
            return "everything works here";
        return bad > 0 ? $"{DisplayText.Count(bad, "thing")} will not work, {DisplayText.Count(odd, "warning")}" : $"works, with {DisplayText.Count(odd, "warning")}";
    }

    private static TextRole Role(CheckLevel level) => level switch
    {
        CheckLevel.Ok => TextRole.Good,
        CheckLevel.Warn => TextRole.Problem,
        _ => TextRole.Error,
    };
}
