namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// The output of text renderers. They say what a piece is (a method, an address, a count); a sink decides how that looks.
/// All text passes <see cref="SafeText"/> here, so nothing from a target reaches a terminal unescaped.
/// </summary>
public abstract class StyledText
{
    /// <summary>Creates a sink for a surface.</summary>
    /// <param name="surface">What the place can show.</param>
    protected StyledText(TextSurface surface) => Surface = surface;

    /// <summary>What the place can show.</summary>
    public TextSurface Surface { get; }

    /// <summary>Writes a piece of the current line.</summary>
    /// <param name="role">What the piece is.</param>
    /// <param name="text">Any text; a newline in it is escaped, <see cref="Line()"/> makes new lines.</param>
    /// <param name="link">Full path of a source file to link to; sinks without links ignore it.</param>
    /// <param name="line">Line in it, from 1; null if it is not known.</param>
    public void Write(TextRole role, string text, string? link = null, int? line = null) => Emit(role, Safe(text), link, line);

    /// <summary>Writes plain text.</summary>
    public void Write(string text) => Write(TextRole.Plain, text);

    /// <summary>Ends the current line.</summary>
    public abstract void Line();

    /// <summary>Writes plain text and ends the line.</summary>
    public void Line(string text)
    {
        Write(text);
        Line();
    }

    /// <summary>The text that <see cref="Write(TextRole, string, string, int?)"/> will show: for measuring it.</summary>
    public string Safe(string text) => SafeText.Escape(text, Surface.Ascii);

    /// <summary>Outputs a piece.</summary>
    /// <param name="role">What the piece is.</param>
    /// <param name="safe">Text without any control character.</param>
    /// <param name="link">Unescaped path of a source file, or null.</param>
    /// <param name="line">Line in it, or null.</param>
    protected abstract void Emit(TextRole role, string safe, string? link, int? line);
}
