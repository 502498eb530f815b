using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// The frames of one stack, one per line: the method, then file and line in a column. On a narrow terminal the method is
/// shortened; the place never is. Deep stacks are not indented: the order shows which frame awaits which.
/// </summary>
/// <param name="text">Where to write.</param>
/// <param name="leafFirst">The innermost frame first.</param>
/// <param name="column">Written before each method; null for nothing.</param>
public sealed class FrameLines(StyledText text, bool leafFirst, FrameColumn? column = null)
{
    private const int Indent = 2;
    private const int Gap = 2;

    /// <summary>Without a terminal the place column never starts to the right of this: one huge generic name must not push all others.</summary>
    private const int WidestMethodColumn = 88;

    /// <summary>Minimum columns for a method; on a narrower terminal, lines wrap.</summary>
    private const int NarrowestMethod = 12;

    private readonly FrameDetails _details = new(text);
    private readonly int _before = Indent + (column?.Width ?? 0);

    /// <summary>Marks that were used, as bits of <see cref="LocationText.Legend"/>.</summary>
    public int Marks { get; private set; }

    /// <summary>Writes the frames of a stack.</summary>
    /// <param name="innermostFirst">The frames.</param>
    /// <param name="margin">Written before each line: <see cref="Indent"/> columns.</param>
    public void Write(FrameList innermostFirst, string margin)
    {
        FrameList frames = leafFirst ? innermostFirst : innermostFirst.Reversed();
        List<FrameRun> runs = FrameFold.Fold(frames);
        FrameLine[] lines = [.. runs.SelectMany(run => Enumerable.Range(run.Start, run.Period)).Select(index => Line(frames[index]))];
        int methodColumns = lines.Select(line => Math.Min(line.Method.Columns, WidestMethodColumn)).DefaultIfEmpty().Max();
        int next = 0;
        foreach (FrameRun run in runs)
        {
            for (int i = 0; i < run.Period; i++)
                WriteFrame(frames[run.Start + i], lines[next++], methodColumns, margin);
            if (run.Repeats > 1)
                WriteRepeats(run, margin);
        }
    }

    /// <summary>Writes method and place of a frame into a line with other content.</summary>
    public void AddTo(Paragraph line, LogicalFrame frame)
    {
        FrameLine parts = Line(frame);
        line.Keep(TextRole.Dim, parts.Method.Prefix).Keep(TextRole.Method, parts.Method.Name).Keep(TextRole.Dim, parts.Method.Suffix);
        if (parts.Place.Length > 0)
            line.Add("  ").Keep(TextRole.File, parts.Place);
    }

    private FrameLine Line(LogicalFrame frame)
    {
        Marks |= LocationText.MarksOf(frame);
        string place = text.Safe(LocationText.Of(frame));
        MethodText method = MethodText.Split(text.Safe(frame.Method));
        int room = text.Surface.Width is int width ? width - _before - Gap - TextColumns.Of(place) : int.MaxValue;
        return new FrameLine(method.Fit(Math.Max(NarrowestMethod, room), text.Surface.Ellipsis), place, frame.File, frame.Line);
    }

    // Folded frames are on the inner side of their caller.
    private void WriteFrame(LogicalFrame frame, FrameLine line, int methodColumns, string margin)
    {
        if (leafFirst)
            _details.WriteFolded(frame, margin);
        text.Write(TextRole.Dim, margin);
        column?.Write(text, frame);
        WriteLine(line, methodColumns);
        _details.WriteLocals(frame, margin);
        if (!leafFirst)
            _details.WriteFolded(frame, margin);
    }

    private void WriteLine(FrameLine line, int methodColumns)
    {
        text.Write(TextRole.Dim, line.Method.Prefix);
        text.Write(TextRole.Method, line.Method.Name);
        text.Write(TextRole.Dim, line.Method.Suffix);
        if (line.Place.Length > 0)
        {
            text.Write(new string(' ', GapBefore(line, methodColumns)));
            text.Write(TextRole.File, line.Place, line.Link, line.Number);
        }
        text.Line();
    }

    // Up to the common column, unless the place would not fit on the line from there.
    private int GapBefore(FrameLine line, int methodColumns)
    {
        int wanted = Gap + methodColumns - line.Method.Columns;
        int room = text.Surface.Width is int width ? width - _before - line.Method.Columns - TextColumns.Of(line.Place) : int.MaxValue;
        return Math.Max(Gap, Math.Min(wanted, room));
    }

    private void WriteRepeats(FrameRun run, string margin)
    {
        string what = run.Period == 1 ? "frame" : DisplayText.Count(run.Period, "frame");
        new Paragraph(text, margin)
            .Add(TextRole.Dim, $"{text.Surface.Ellipsis} the same {what} ")
            .Add(TextRole.Count, DisplayText.Number(run.Repeats - 1))
            .Add(TextRole.Dim, " more times")
            .End();
    }

    private sealed record FrameLine(MethodText Method, string Place, string? Link, int? Number);
}

/// <summary>Columns of a debugger before the method of each frame: addresses, counts.</summary>
/// <param name="Width">Columns that <paramref name="Write"/> fills.</param>
/// <param name="Write">Writes them for a frame.</param>
public sealed record FrameColumn(int Width, Action<StyledText, LogicalFrame> Write);
