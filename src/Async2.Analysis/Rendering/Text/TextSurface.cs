namespace Async2.Analysis.Rendering.Text;

/// <summary>Abilities of the place where text is shown.</summary>
/// <param name="Width">Columns of a terminal; null for a file or a pipe, where no line is wrapped or shortened.</param>
/// <param name="Ascii">Only characters below U+0080, for terminals and logs that cannot show others.</param>
public sealed record TextSurface(int? Width = null, bool Ascii = false)
{
    /// <summary>Replacement for omitted text.</summary>
    public string Ellipsis => Ascii ? "..." : "\u2026";
}
