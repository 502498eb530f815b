namespace Async2.Analysis.Rendering.Text;

/// <summary>Text with several roles that is wrapped at the width of the sink; a word longer than a line is not split.</summary>
public sealed class Paragraph
{
    private readonly StyledText _text;
    private readonly string _hanging;
    private readonly List<(TextRole Role, string Text)> _word = [];
    private int _wordColumns;
    private int _column;
    private int _gap;

    /// <summary>Starts a paragraph at the start of a line.</summary>
    /// <param name="text">Where to write.</param>
    /// <param name="indent">Spaces before the first line.</param>
    /// <param name="hanging">Spaces before all other lines.</param>
    public Paragraph(StyledText text, int indent = 0, int hanging = 2)
    {
        _text = text;
        _hanging = new string(' ', hanging);
        _column = indent;
        _text.Write(new string(' ', indent));
    }

    /// <summary>Starts a paragraph whose lines all begin with the same text.</summary>
    public Paragraph(StyledText text, string margin)
    {
        _text = text;
        _hanging = margin;
        _column = margin.Length;
        _text.Write(TextRole.Dim, margin);
    }

    /// <summary>Adds text that continues where the last ended; lines break at its spaces.</summary>
    public Paragraph Add(TextRole role, string text)
    {
        string safe = _text.Safe(text);
        for (int start = 0; start < safe.Length;)
        {
            int end = safe.IndexOf(' ', start);
            if (end < 0)
                end = safe.Length;
            if (end > start)
                AddToWord(role, safe[start..end]);
            for (start = end; start < safe.Length && safe[start] == ' '; start++)
                EndWord();
        }
        return this;
    }

    /// <summary>Adds text that stays on one line, with its spaces.</summary>
    public Paragraph Keep(TextRole role, string text)
    {
        AddToWord(role, _text.Safe(text));
        return this;
    }

    /// <summary>Adds plain text.</summary>
    public Paragraph Add(string text) => Add(TextRole.Plain, text);

    /// <summary>Ends the last line.</summary>
    public void End()
    {
        EndWord();
        _text.Line();
    }

    private void AddToWord(TextRole role, string part)
    {
        _word.Add((role, part));
        _wordColumns += TextColumns.Of(part);
    }

    // Called once per space: the first call writes the word, each call widens the gap before the next.
    private void EndWord()
    {
        if (_word.Count > 0)
            PutWord();
        _gap++;
    }

    private void PutWord()
    {
        bool startsLine = _gap == 0 || _column <= _hanging.Length;
        if (!startsLine && _text.Surface.Width is int width && _column + _gap + _wordColumns > width)
        {
            _text.Line();
            _text.Write(_hanging);
            _column = _hanging.Length;
            _gap = 0;
        }
        if (_gap > 0)
            _text.Write(new string(' ', _gap));
        foreach ((TextRole role, string part) in _word)
            _text.Write(role, part);
        _column += _gap + _wordColumns;
        _word.Clear();
        _wordColumns = 0;
        _gap = 0;
    }
}
