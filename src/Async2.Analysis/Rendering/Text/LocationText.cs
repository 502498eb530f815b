using System.Globalization;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Text;

/// <summary>Source position of a frame, short enough for a line, with a mark for its certainty.</summary>
public static class LocationText
{
    /// <summary>Meaning of the marks, in the order of <see cref="MarksOf"/>.</summary>
    public static readonly (string Mark, string Meaning)[] Legend =
    [
        ("~", "the most likely of several places"),
        ("*", "distinguished from other awaits by order"),
        ("?", "it is not known which await"),
        ("[elided]", "not in memory: removed by the JIT, proven by the IL"),
        ("[thread]", "on a thread's own stack"),
    ];

    /// <summary><c>Orders.cs:42</c>, <c>Orders.cs:~42</c>, <c>Shop.dll IL_001c</c>, <c>Shop.dll:?</c>, or nothing for a plain task.</summary>
    public static string Of(LogicalFrame frame)
    {
        string place = frame.Endpoint is { } endpoint ? Join(Place(frame), $"[{endpoint}]") : Place(frame);
        if (frame.Note is { } note)
            place = Join(place, $"[{note}]");
        return frame.Kind switch
        {
            FrameKind.Elided => Join(place, "[elided]"),
            FrameKind.Thread => Join(place, "[thread]"),
            _ => place,
        };
    }

    /// <summary>The entries of <see cref="Legend"/> that a frame uses, as bits.</summary>
    public static int MarksOf(LogicalFrame frame) => MarkOf(frame) | frame.Kind switch
    {
        FrameKind.Elided => 8,
        FrameKind.Thread => 16,
        _ => 0,
    };

    private static int MarkOf(LogicalFrame frame) => frame.Exactness switch
    {
        _ when frame.Kind == FrameKind.Task && frame.Line is null => 0,
        Exactness.Approximate => 1,
        Exactness.Order => 2,
        Exactness.None when frame.Kind != FrameKind.Thread || frame.Line is null => 4,
        _ => 0,
    };

    private static string Place(LogicalFrame frame)
    {
        int mark = MarkOf(frame);
        string before = mark == 1 ? "~" : mark == 4 ? "?" : "";
        string after = mark == 2 ? "*" : "";
        if (frame.File is not null && frame.Line is int line)
            return $"{FileName(frame.File)}:{before}{line.ToString(CultureInfo.InvariantCulture)}{after}";
        if (mark == 4)
            return frame.Module is null ? "?" : $"{frame.Module}:?";
        if (frame.Module is null)
            return before + after;
        return frame.ILOffset is int offset
            ? $"{frame.Module} {before}IL_{offset.ToString("x4", CultureInfo.InvariantCulture)}{after}"
            : frame.Module;
    }

    // The path is from the build machine: its separator may differ from ours.
    private static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    private static string Join(string place, string mark) => place.Length == 0 ? mark : place + " " + mark;
}
