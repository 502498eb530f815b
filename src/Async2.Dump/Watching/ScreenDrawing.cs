using Async2.Analysis.Rendering.Text;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Async2.Dump.Watching;

/// <summary>Lines of a screen as Spectre.Console draws them, in the terminal's own colours, as <see cref="Terminals.AnsiText"/> uses them.</summary>
internal sealed class ScreenDrawing : IRenderable
{
    /// <summary>What is drawn the next time.</summary>
    public IReadOnlyList<ScreenLine> Lines { get; set; } = [];

    /// <inheritdoc/>
    public Measurement Measure(RenderOptions options, int maxWidth) => new(maxWidth, maxWidth);

    /// <inheritdoc/>
    public IEnumerable<Segment> Render(RenderOptions options, int maxWidth)
    {
        foreach (ScreenLine line in Lines)
        {
            foreach ((TextRole role, string text) in line.Pieces)
                yield return new Segment(text, line.IsSelected ? new Style(decoration: Decoration.Invert) : StyleOf(role));
            yield return Segment.LineBreak;
        }
    }

    private static Style StyleOf(TextRole role) => role switch
    {
        TextRole.Dim or TextRole.Address => new Style(decoration: Decoration.Dim),
        TextRole.Heading or TextRole.Count => new Style(decoration: Decoration.Bold),
        TextRole.File => new Style(Color.Teal),
        TextRole.State or TextRole.Good => new Style(Color.Green),
        TextRole.Wait => new Style(Color.Purple),
        TextRole.Problem => new Style(Color.Olive),
        TextRole.Error => new Style(Color.Maroon, decoration: Decoration.Bold),
        _ => Style.Plain,
    };
}
