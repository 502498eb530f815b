using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// Stacks in sections: a heading that counts, then the first few stacks in full, and a line for each other one. Headings are all
/// there, whatever the limit: they are what was asked for.
/// </summary>
internal sealed class SectionText(StyledText text, GroupText stacks)
{
    private const int InFull = 3;

    /// <summary>Writes sections.</summary>
    /// <param name="sections">Biggest first.</param>
    /// <param name="limit">How many stacks, or groups of equal ones, are shown.</param>
    public void Write(IReadOnlyList<StackSection> sections, int limit)
    {
        long all = sections.Sum(section => section.Count);
        bool hasStacksAbove = true;
        foreach (StackSection section in sections)
        {
            if (hasStacksAbove)
                text.Line();
            WriteHeading(section, all);
            int shown = Math.Min(limit, section.Stacks.Length);
            limit -= shown;
            hasStacksAbove = shown > 0;
            foreach (LogicalStack stack in section.Stacks.Take(Math.Min(shown, InFull)))
                stacks.Write(stack);
            if (shown > InFull)
                text.Line();
            foreach (LogicalStack stack in section.Stacks.Take(shown).Skip(InFull))
                stacks.WriteShort(stack);
        }
    }

    private void WriteHeading(StackSection section, long all)
    {
        var heading = new Paragraph(text);
        heading.Add(TextRole.Dim, "== ").Add(TextRole.Heading, section.Key)
            .Add("  ").Add(TextRole.Count, DisplayText.Count(section.Count, "stack"));
        if (section.Stacks.Length > 1 && section.Stacks.Length < section.Count)
            heading.Add(TextRole.Dim, " in ").Add(TextRole.Dim, DisplayText.Count(section.Stacks.Length, "group"));
        heading.Add("  ").Add(TextRole.Dim, Share(section.Count, all)).End();
    }

    // Never 100 % for less than all, never 0 % for something.
    private static string Share(long part, long all)
    {
        long percent = part == all ? 100 : Math.Clamp((part * 100 + (all / 2)) / all, 1, 99);
        return percent.ToString(CultureInfo.InvariantCulture) + "%";
    }
}
