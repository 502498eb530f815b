using System.Collections.Immutable;
using Async2.Analysis.Stacks;

namespace Async2.Analysis.Rendering;

/// <summary>
/// The frames of one stack, a line each: the method, then file and line in a column. On a narrow terminal the method is
/// shortened; the place never is. Deep stacks are not indented: the order says who awaits whom.
/// </summary>
internal sealed class FrameLines(StyledText text, bool leafFirst)
{
    private const int Indent = 2;
    private const int Gap = 2;

    /// <summary>The place column never starts right of this without a terminal: one huge generic name must not push all others.</summary>
    private const int WidestMethodColumn = 88;

    /// <summary>Least columns for a method; on a terminal narrower than that, lines wrap.</summary>
    private const int NarrowestMethod = 16;

    private int _placeColumn;

    /// <summary>Marks that were used, bits of <see cref="LocationText.Legend"/>.</summary>
    public int Marks { get; private set; }

    /// <summary>Writes the frames of a stack, given innermost first.</summary>
    public void Write(ImmutableArray<LogicalFrame> innermostFirst)
    {
        ImmutableArray<LogicalFrame> frames = leafFirst ? innermostFirst : [.. innermostFirst.Reverse()];
        List<FrameRun> runs = FrameFold.Fold(frames);
        _placeColumn = PlaceColumn(frames, runs);
        foreach (FrameRun run in runs)
        {
            for (int i = 0; i < run.Period; i++)
                WriteFrame(frames[run.Start + i]);
            if (run.Repeats > 1)
                WriteRepeats(run);
        }
    }

    private void WriteFrame(LogicalFrame frame)
    {
        string place = text.Safe(LocationText.Of(frame));
        MethodText method = MethodText.Split(text.Safe(frame.Method)).Fit(MethodColumns(place), text.Look.Ellipsis);
        Marks |= LocationText.MarksOf(frame);
        text.Write(new string(' ', Indent));
        text.Write(TextRole.Dim, method.Prefix);
        text.Write(TextRole.Method, method.Name);
        text.Write(TextRole.Dim, method.Suffix);
        if (place.Length > 0)
        {
            text.Write(new string(' ', Math.Max(Gap, _placeColumn - Indent - method.Columns)));
            text.Write(TextRole.File, place, frame.File);
        }
        text.Line();
    }

    private void WriteRepeats(FrameRun run)
    {
        text.Write(new string(' ', Indent));
        text.Write(TextRole.Dim, text.Look.Ellipsis + " the same ");
        text.Write(TextRole.Dim, run.Period == 1 ? "frame " : Words.Count(run.Period, "frame") + " ");
        text.Write(TextRole.Count, Words.Number(run.Repeats - 1));
        text.Write(TextRole.Dim, " more times");
        text.Line();
    }

    // The column that most lines can keep: as far left as the widest method allows, as far right as the places allow.
    private int PlaceColumn(ImmutableArray<LogicalFrame> frames, List<FrameRun> runs)
    {
        int widest = 0;
        foreach (FrameRun run in runs)
        {
            for (int i = 0; i < run.Period; i++)
            {
                LogicalFrame frame = frames[run.Start + i];
                int columns = MethodText.Split(text.Safe(frame.Method)).Columns;
                widest = Math.Max(widest, Math.Min(columns, Math.Min(WidestMethodColumn, MethodColumns(text.Safe(LocationText.Of(frame))))));
            }
        }
        return Indent + widest + Gap;
    }

    private int MethodColumns(string place)
        => text.Look.Width is int width
            ? Math.Max(NarrowestMethod, width - Indent - Gap - TextColumns.Of(place))
            : int.MaxValue;
}
