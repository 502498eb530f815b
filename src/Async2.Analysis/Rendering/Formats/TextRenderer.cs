using System.Text;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>
/// The answer for people: the verdict first, then the stacks by count, then what could not be read. The same walk serves
/// plain text, coloured terminals and debuggers; only the sink differs.
/// </summary>
public sealed class TextRenderer : IRenderer
{
    /// <inheritdoc/>
    public string Format => "text";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        using var writer = new StreamWriter(output, new UTF8Encoding(false), bufferSize: 1 << 16, leaveOpen: true);
        Render(snapshot, options, options.Text(writer));
    }

    /// <summary>Writes to a sink of the caller's own.</summary>
    public static void Render(StackView snapshot, RenderOptions options, StyledText text)
    {
        SummaryText.Write(text, snapshot);
        TargetText.Write(text, snapshot.Target, options.Verbose);
        int idle = options.ShowIdle ? 0 : IdleText.Folded(snapshot);
        int shown = Math.Min(options.Limit ?? int.MaxValue, snapshot.Stacks.Length - idle);
        var frames = new FrameLines(text, options.LeafFirst);
        var stacks = new GroupText(text, frames, options.LeafFirst);
        if (options.GroupBy is { } grouping)
        {
            new SectionText(text, stacks).Write(StackSection.Of(snapshot.Stacks.Take(snapshot.Stacks.Length - idle), grouping), shown);
        }
        else
        {
            foreach (LogicalStack stack in snapshot.Stacks.Take(shown))
                stacks.Write(stack);
        }
        WriteLeftOut(text, snapshot.Stacks.Take(snapshot.Stacks.Length - idle).Skip(shown).ToArray());
        IdleText.Write(text, snapshot.Stacks.TakeLast(idle), "--include-framework shows them");
        WriteLegend(text, frames.Marks);
        ProblemsText.Write(text, snapshot, options.Verbose);
    }

    /// <summary>Says how many stacks a limit leaves out.</summary>
    internal static void WriteLeftOut(StyledText text, IReadOnlyCollection<LogicalStack> hidden)
    {
        long left = hidden.Sum(stack => stack.Count);
        int entries = hidden.Count;
        if (entries == 0)
            return;
        text.Line();
        string what = left == entries ? DisplayText.Count(left, "more stack") : $"{DisplayText.Count(entries, "more group")} of {DisplayText.Count(left, "stack")}";
        new Paragraph(text).Add(TextRole.Dim, $"{text.Look.Ellipsis} {what} not shown (--limit)").End();
    }

    /// <summary>Says what the marks mean that were used.</summary>
    internal static void WriteLegend(StyledText text, int marks)
    {
        if (marks == 0)
            return;
        text.Line();
        for (int i = 0; i < LocationText.Legend.Length; i++)
        {
            if ((marks & (1 << i)) != 0)
                new Paragraph(text).Add(TextRole.File, LocationText.Legend[i].Mark).Add(TextRole.Dim, " = " + LocationText.Legend[i].Meaning).End();
        }
    }
}
