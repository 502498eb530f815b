namespace Async2.Analysis.Rendering.Text;

/// <summary>What the place where text appears can show.</summary>
/// <param name="Width">Columns of a terminal; null for a file or a pipe, where no line is wrapped or shortened.</param>
/// <param name="Ascii">Only characters below U+0080, for terminals and logs that garble others.</param>
public sealed record TextSurface(int? Width = null, bool Ascii = false)
{
    /// <summary>What stands where something was left out.</summary>
    public string Ellipsis => Ascii ? "..." : "\u2026";
}
