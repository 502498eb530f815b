using System.Text;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>
/// The answer as text: the summary first, then the stacks by count, then the problems. The same code serves
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

    /// <summary>Writes to the caller's sink.</summary>
    public static void Render(StackView snapshot, RenderOptions options, StyledText text)
    {
        SummaryText.Write(text, snapshot, options.FindingsOnly, options.AllFindings);
        TargetText.Write(text, snapshot.Target, options.Verbose);
        if (options.FindingsOnly)
        {
            ProblemsText.Write(text, snapshot, options.Verbose);
            return;
        }
        var shown = ShownStacks.Of(snapshot, options.Limit, options.ShowIdle);
        var frames = new FrameLines(text, options.LeafFirst);
        var groups = new GroupText(text, frames, options.LeafFirst) { AllAges = options.AllAges || options.Verbose, Clocks = options.Verbose };
        new SectionText(text, groups).Write(shown, options.GroupBy);
        shown.WriteRest(text, "--include-framework shows them");
        groups.WriteMoment(snapshot.Target);
        WriteLegend(text, frames.Marks);
        ProblemsText.Write(text, snapshot, options.Verbose);
    }

    /// <summary>Explains the marks that were used.</summary>
    /// <param name="text">Where to.</param>
    /// <param name="marks">The flags of <see cref="FrameLines.Marks"/>.</param>
    public static void WriteLegend(StyledText text, int marks)
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
