using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>Draws the screen of <c>watch</c> as lines: never more than it has, and none wider. Pure: the same state gives the same lines.</summary>
/// <param name="surface">Its width, and what it can show.</param>
/// <param name="height">Its lines.</param>
internal sealed class WatchScreen(TextSurface surface, int height)
{
    private const int FewestRows = 3;
    private const string Keys = "q quit  / filter  space pause  enter stack  s save";
    private const string OpenKeys = "enter back  up/down scroll  space pause  s save  q quit";
    private const string TypeKeys = "enter keeps the filter  esc clears it   (words, or method:Pay state:blocked ...)";

    private int Width => surface.Width ?? 80;

    /// <summary>Rows of the list, or lines of the open stack, that the last drawing had room for.</summary>
    public int Page { get; private set; } = 1;

    /// <summary>All lines.</summary>
    /// <param name="state">What the user has chosen.</param>
    /// <param name="interval">Between two looks; null while the next one waits because all processors are busy.</param>
    /// <param name="message">What happened last; null for nothing.</param>
    public List<ScreenLine> Draw(WatchState state, TimeSpan? interval, string? message)
    {
        var screen = new ScreenLines(surface);
        if (state.Shown is not { } look)
        {
            screen.Line(message ?? "looking for the first time " + surface.Ellipsis);
            return screen.Lines;
        }
        WriteHead(screen, look, state, interval);
        List<ScreenLine> foot = Foot(state, message);
        // What is shown of the list, whatever else there is.
        int room = height - screen.Lines.Count - foot.Count;
        if (state.Open is { } open)
            WriteOpen(screen, open, state, room);
        else
            WriteList(screen, look, state, room);
        while (screen.Lines.Count < height - foot.Count)
            screen.Line();
        return [.. screen.Lines.Take(Math.Max(0, height - foot.Count)), .. foot.TakeLast(height)];
    }

    private void WriteHead(ScreenLines screen, WatchLook look, WatchState state, TimeSpan? interval)
    {
        TargetFacts target = look.Model.Target;
        string time = target.TakenAt?.ToUniversalTime().ToString("HH:mm:ss'Z'", CultureInfo.InvariantCulture) ?? "";
        string next = interval is { } pace ? "every " + DisplayText.Duration((long)pace.TotalMilliseconds) : "next waits: processors busy";
        string right = $"look {DisplayText.Number(look.Number)}, {next}  {time}";
        string left = string.Create(CultureInfo.InvariantCulture, $"{WatchWords.Program(target)}  pid {target.Pid}{(target.Runtime is { } runtime ? "  .NET " + runtime : "")}");
        screen.Cell(TextRole.Heading, left, Math.Max(0, Width - right.Length - 10));
        screen.Write(TextRole.Problem, state.IsPaused ? "  PAUSED  " : new string(' ', 10));
        screen.Write(TextRole.Dim, right);
        screen.Line();
        screen.Cell(TextRole.Plain, WatchWords.Totals(look), Math.Max(20, Width - 20));
        string frozen = target.FreezeMs is { } ms ? string.Create(CultureInfo.InvariantCulture, $"stopped for {ms:0.#} ms") : "";
        screen.Cell(TextRole.Dim, frozen, Math.Min(20, Width - 20), right: true);
        screen.Line();
        if (!look.View.Complete)
            Line(screen, TextRole.Problem, "incomplete: " + (look.View.Problems.FirstOrDefault()?.Text ?? "the reason is not known"));
        if (state.IsTyping || state.Filter.Length > 0)
        {
            screen.Write(TextRole.Heading, "/" + state.Filter + (state.IsTyping ? "_" : ""));
            screen.Write(TextRole.Dim, $"  {DisplayText.Number(state.Rows.Count)} of {DisplayText.Count(look.Groups.Length, "group")}");
            screen.Write(TextRole.Problem, state.FilterFault is { } fault ? "  " + fault : "");
            screen.Line();
        }
        screen.Line();
    }

    private List<ScreenLine> Foot(WatchState state, string? message)
    {
        var foot = new ScreenLines(surface);
        if (message is not null)
            Line(foot, TextRole.Good, message);
        Line(foot, TextRole.Dim, state.IsTyping ? TypeKeys : state.Open is not null ? OpenKeys : Keys);
        return foot.Lines;
    }

    private void WriteList(ScreenLines screen, WatchLook look, WatchState state, int room)
    {
        int most = Math.Max(1, Math.Min(height / 4, room - FewestRows - 2));
        WriteFindings(screen, look, most, ref room);
        var rows = new GroupRows(screen, Width);
        if (room > 1)
        {
            rows.WriteTitles();
            room--;
        }
        Page = Math.Max(1, room);
        // The last row says how many are not shown.
        int first = Math.Clamp(state.Selected - (Page / 2), 0, Math.Max(0, state.Rows.Count - Page));
        for (int i = first; i < Math.Min(state.Rows.Count, first + Page); i++)
        {
            if (i == first + Page - 1 && i < state.Rows.Count - 1 && i != state.Selected)
                Line(screen, TextRole.Dim, $"  {surface.Ellipsis} and {DisplayText.Count(state.Rows.Count - i, "more group")}");
            else
                rows.Write(state.Rows[i], i == state.Selected);
        }
        if (state.Rows.Count == 0)
            Line(screen, TextRole.Dim, look.Groups.Length == 0 ? "  no async stacks" : "  no group matches");
    }

    private void WriteFindings(ScreenLines screen, WatchLook look, int most, ref int room)
    {
        if (look.Findings.IsEmpty)
            return;
        int shown = look.Findings.Length <= most ? look.Findings.Length : most - 1;
        foreach (WatchFinding found in look.Findings.Take(shown))
        {
            Finding finding = found.Finding;
            TextRole role = finding.Severity switch { Severity.Error => TextRole.Error, Severity.Warning => TextRole.Problem, _ => TextRole.Dim };
            screen.Write(role, $"{DisplayText.Of(finding.Severity)}: {finding.Rule}");
            screen.Write(TextRole.Dim, $" ({DisplayText.Of(finding.Confidence)}, {(found.SinceMs == 0 ? "new" : "for " + DisplayText.Duration(found.SinceMs))})  ");
            screen.Cell(TextRole.Plain, finding.Text, Math.Max(0, Width - screen.Column));
            screen.Line();
        }
        if (shown < look.Findings.Length)
            Line(screen, TextRole.Dim, DisplayText.Count(look.Findings.Length - shown, "more finding"));
        screen.Line();
        room -= Math.Min(look.Findings.Length, most) + 1;
    }

    private void WriteOpen(ScreenLines screen, WatchGroup group, WatchState state, int room)
    {
        var stack = new ScreenLines(surface);
        new GroupText(stack, new FrameLines(stack, leafFirst: false), leafFirst: false).Write(group.Stack);
        if (WatchWords.OldestWithClock(group) is { Length: > 0 } age)
            new Paragraph(stack, indent: 2, hanging: 4).Add(TextRole.Dim, age).End();
        stack.Line();
        Line(stack, TextRole.Dim, "  " + TrendText.Of(group.Trend, Math.Clamp(Width - 4, 0, group.Trend.Length), surface.Ascii));
        Page = Math.Max(1, room);
        // The first line is empty.
        List<ScreenLine> lines = stack.Lines[1..];
        state.LimitScroll(lines.Count - Page);
        screen.Lines.AddRange(lines.Skip(state.Scroll).Take(Page));
    }

    private void Line(ScreenLines screen, TextRole role, string text)
    {
        screen.Cell(role, text, Width);
        screen.Line();
    }
}
