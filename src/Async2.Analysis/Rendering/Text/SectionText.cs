using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// Stacks one after the other, or in sections: a heading with counts, then the first few stacks in full, and one line for each other
/// one. All headings are shown, whatever the limit: they were requested.
/// </summary>
public sealed class SectionText(StyledText text, GroupText stacks)
{
    private const int InFull = 3;

    /// <summary>Writes the visible stacks of an answer.</summary>
    /// <param name="shown">Which stacks.</param>
    /// <param name="grouping">What those of a section have in common; null for no sections.</param>
    public void Write(ShownStacks shown, GroupKey? grouping)
    {
        long all = shown.Listed.Sum(stack => stack.Count);
        bool hasStacksAbove = true;
        foreach ((StackSection? section, ImmutableArray<LogicalStack> drawn) in shown.Parts(grouping))
        {
            if (section is not null && hasStacksAbove)
                text.Line();
            if (section is not null)
                WriteHeading(text, section, all);
            hasStacksAbove = drawn.Length > 0;
            int inFull = section is null ? drawn.Length : InFull;
            foreach (LogicalStack stack in drawn.Take(inFull))
                stacks.Write(stack);
            if (drawn.Length > inFull)
                text.Line();
            foreach (LogicalStack stack in drawn.Skip(inFull))
                stacks.WriteShort(stack);
        }
    }

    /// <summary>Writes the line above a section: what its stacks have in common, their number, and their share of all.</summary>
    public static void WriteHeading(StyledText text, StackSection section, long all)
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
