using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Terminals;

/// <summary>Columns of text with a header; the last column is cut at the edge of a terminal, and omitted if too little of it fits.</summary>
internal sealed class TextTable(string[] header, int[] rightAligned)
{
    private const string Gap = "  ";
    private const int LeastOfLastColumn = 12;
    private readonly List<(TextRole Role, string Text)[]> _rows = [];

    /// <summary>Adds a row with as many cells as the header has.</summary>
    public void Add((TextRole Role, string Text)[] cells) => _rows.Add(cells);

    /// <summary>Writes the table.</summary>
    public void Write(StyledText text)
    {
        (TextRole Role, string Text)[] titles = [.. header.Select(title => (TextRole.Dim, title))];
        int[] widths = [.. header.Select((_, column) => _rows.Prepend(titles).Max(row => TextColumns.Of(text.Safe(row[column].Text))))];
        bool room = text.Surface.Width is not int width || widths[..^1].Sum(column => column + Gap.Length) + LeastOfLastColumn <= width;
        foreach ((TextRole Role, string Text)[] row in _rows.Prepend(titles))
            WriteRow(text, room ? row : row[..^1], widths);
    }

    private void WriteRow(StyledText text, (TextRole Role, string Text)[] row, int[] widths)
    {
        int used = 0;
        for (int column = 0; column < row.Length; column++)
        {
            string cell = text.Safe(row[column].Text);
            bool last = column == row.Length - 1;
            if (last)
                cell = Fit(cell, text.Surface, used);
            string space = new(' ', Math.Max(0, widths[column] - TextColumns.Of(cell)));
            bool right = rightAligned.Contains(column);
            text.Write(row[column].Role, right ? space + cell : cell);
            if (!last)
                text.Write(right ? Gap : space + Gap);
            used += widths[column] + Gap.Length;
        }
        text.Line();
    }

    private static string Fit(string cell, TextSurface look, int used)
    {
        if (look.Width is not int width || used + TextColumns.Of(cell) <= width)
            return cell;
        int room = Math.Max(8, width - used - look.Ellipsis.Length);
        return TextColumns.Cut(cell, room) + look.Ellipsis;
    }
}
