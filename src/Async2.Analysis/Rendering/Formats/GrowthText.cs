using System.Collections.Immutable;
using Async2.Analysis.Rendering.Changes;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>What only grows over several looks, as text: a sentence, then groups of stacks with how many each look has.</summary>
internal sealed class GrowthText(StyledText text, RenderOptions options)
{
    // More are in JSON.
    private const int CountLimit = 12;

    public void Write(TargetGrowth growth)
    {
        new Paragraph(text).Add(TextRole.Heading, GrowthSentence.Of(growth)).End();
        TargetText.Write(text, growth.Targets[0], options.Verbose);
        TargetText.Write(text, growth.Targets[^1], options.Verbose);
        new Paragraph(text).Add(TextRole.Dim, "stacks in each look: ").Add(Counts(growth.Stacks)).End();
        GrowthGroup[] shown = [.. growth.Groups.Take(options.Limit ?? int.MaxValue)];
        var frames = new FrameLines(text, options.LeafFirst);
        var stacks = new GroupText(text, frames, options.LeafFirst);
        foreach (GrowthGroup group in shown)
            Write(group, growth.OverMs, stacks);
        if (growth.Groups.Length > shown.Length)
            new Paragraph(text).Add(TextRole.Dim, $"and {DisplayText.Count(growth.Groups.Length - shown.Length, "more group")}: --limit shows them").End();
        if (growth.Groups.Length > 0)
        {
            text.Line();
            new Paragraph(text).Add(TextRole.Dim, "These never shrink from one look to the next, and are more at the end. A program that warms up does so, too: look again later.").End();
        }
        TextRenderer.WriteLegend(text, frames.Marks);
        ProblemsText.Write(text, growth.Problems, growth.Complete, options.Verbose);
    }

    private void Write(GrowthGroup group, long? over, GroupText stacks)
    {
        text.Line();
        new Paragraph(text).Add(TextRole.Dim, "== ").Add(TextRole.Heading, GrowthSentence.Pace(group, over)).Add("  ").Add(TextRole.Count, Counts(group.Counts)).End();
        stacks.Write(group.Stack);
    }

    private static string Counts(ImmutableArray<long> counts)
    {
        IEnumerable<string> all = counts.Select(DisplayText.Number);
        return string.Join(" -> ", counts.Length <= CountLimit ? all : all.Take(1).Append("...").Concat(all.Skip(counts.Length - CountLimit + 2)));
    }
}
