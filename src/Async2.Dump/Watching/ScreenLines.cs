using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Watching;

/// <summary>Text as lines of pieces, each of which knows its columns: what is drawn on a screen, or a part of it.</summary>
/// <param name="surface">What the screen can show.</param>
internal sealed class ScreenLines(TextSurface surface) : StyledText(surface)
{
    private List<(TextRole Role, string Text)> _current = [];

    /// <summary>Lines that have ended.</summary>
    public List<ScreenLine> Lines { get; } = [];

    /// <summary>Columns of the line that has not ended.</summary>
    public int Column => _current.Sum(piece => TextColumns.Of(piece.Text));

    /// <summary>Ends the line, drawn as the one that is selected.</summary>
    public void SelectedLine() => End(isSelected: true);

    /// <inheritdoc/>
    public override void Line() => End(isSelected: false);

    /// <summary>Writes text, cut to a width, and fills it with spaces.</summary>
    /// <param name="role">What it is.</param>
    /// <param name="text">The text.</param>
    /// <param name="columns">The width.</param>
    /// <param name="right">Aligned at the right.</param>
    public void Cell(TextRole role, string text, int columns, bool right = false)
    {
        string safe = Safe(text);
        if (TextColumns.Of(safe) > columns)
            safe = TextColumns.Cut(safe, Math.Max(0, columns - Surface.Ellipsis.Length)) + (columns > Surface.Ellipsis.Length ? Surface.Ellipsis : "");
        string space = new(' ', Math.Max(0, columns - TextColumns.Of(safe)));
        if (right)
            Emit(TextRole.Plain, space, null, null);
        Emit(role, safe, null, null);
        if (!right)
            Emit(TextRole.Plain, space, null, null);
    }

    /// <inheritdoc/>
    protected override void Emit(TextRole role, string safe, string? link, int? line)
    {
        if (safe.Length > 0)
            _current.Add((role, safe));
    }

    // What is too long is cut here: a line that wraps would push the screen up.
    private void End(bool isSelected)
    {
        var pieces = new List<(TextRole Role, string Text)>();
        int left = Surface.Width ?? int.MaxValue;
        foreach ((TextRole role, string text) in _current)
        {
            string part = TextColumns.Of(text) <= left ? text : TextColumns.Cut(text, left);
            left -= TextColumns.Of(part);
            if (part.Length > 0)
                pieces.Add((role, part));
        }
        Lines.Add(new(pieces, isSelected));
        _current = [];
    }
}

/// <summary>A line of a screen.</summary>
/// <param name="Pieces">What it consists of; safe for any terminal.</param>
/// <param name="IsSelected">It is drawn as the one that is selected.</param>
internal sealed record ScreenLine(IReadOnlyList<(TextRole Role, string Text)> Pieces, bool IsSelected)
{
    /// <summary>Without its looks.</summary>
    public string Text => string.Concat(Pieces.Select(piece => piece.Text));
}
